#pragma once
// Rows of a spreadsheet, collected and written as blocks: empty columns are left out, tables apart by empty
// rows each get their own header. One thread.

#include <cstddef>
#include <string>
#include <vector>

#include "retrieval/documents/block_assembler.h"

namespace parley::retrieval::documents {

struct SheetCell {
  int column = 0;  // from 0
  std::string text;
};

class SheetRows {
 public:
  static constexpr int kMaxColumns = 16'384;
  static constexpr int kMaxRows = 1'048'576;

  // Cells with text, columns ascending; `row` from 0, ascending too. The caller bounds them (text_budget.h).
  void add(int row, std::vector<SheetCell> cells);
  bool empty() const { return rows_.empty(); }
  void write(BlockAssembler& out);  // and forgets them

 private:
  struct Row {
    int row;
    std::vector<SheetCell> cells;
  };
  void write_table(std::size_t begin, std::size_t end, BlockAssembler& out) const;

  std::vector<Row> rows_;
};

}  // namespace parley::retrieval::documents
