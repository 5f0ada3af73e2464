#pragma once
// The rows of one table, held back until it is known which of them name the columns. One thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/block_assembler.h"

namespace parley::retrieval::documents {

// A first row reads as column names when each cell has a short text and none is a number.
bool reads_as_header(const std::vector<std::string>& cells);
// "12", "-3.5 %", "2024-03-01", "€ 1,200": no name of a column.
bool reads_as_number(std::string_view text);

class TableRows {
 public:
  enum class Header : std::uint8_t { no, yes };

  void add(std::vector<std::string> cells, Header header = Header::no, const Box& box = {});
  bool empty() const { return rows_.empty(); }
  // Writes the rows and forgets them. Rows are column names where the file says so; where it says nothing,
  // the first one is when it reads so and other rows follow. One cell alone is a paragraph.
  void write(BlockAssembler& out);

 private:
  struct Row {
    std::vector<std::string> cells;
    Header header;
    Box box;
  };
  std::vector<Row> rows_;
};

}  // namespace parley::retrieval::documents
