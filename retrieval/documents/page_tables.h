#pragma once
// Finds tables among the lines of a region: lines after each other whose parts stand in columns with clear
// white space between them. Pure functions, any thread.

#include <cstddef>
#include <string>
#include <vector>

#include "retrieval/documents/page_layout.h"

namespace parley::retrieval::documents {

struct PageTable {
  struct Row {
    std::vector<std::string> cells;
    Box box;
  };
  std::size_t num_lines = 0;  // of the region that it takes; 0: no table begins here
  std::vector<Row> rows;      // lines that go on in a cell of the row before are in that row
};

PageTable find_table(const std::vector<PageLine>& lines, std::size_t begin);

}  // namespace parley::retrieval::documents
