#include "retrieval/documents/sheet_rows.h"

#include <algorithm>
#include <utility>

#include "retrieval/documents/table_rows.h"

namespace parley::retrieval::documents {
namespace {

// The row over the columns in use. A wide row with few cells is written without the gaps between them: a
// million rows with one cell each, in columns of their own, would be nothing but separators.
std::vector<std::string> aligned_cells(const std::vector<SheetCell>& cells, const std::vector<int>& columns) {
  constexpr std::size_t kFewColumns = 32, kFilledShare = 4;
  std::vector<std::string> aligned;
  if (columns.size() > kFewColumns && cells.size() < columns.size() / kFilledShare) {
    for (const SheetCell& cell : cells) {
      aligned.push_back(cell.text);
    }
    return aligned;
  }
  auto column = columns.begin();
  for (const SheetCell& cell : cells) {
    const auto place = std::lower_bound(column, columns.end(), cell.column);
    aligned.insert(aligned.end(), static_cast<std::size_t>(place - column), "");
    aligned.push_back(cell.text);
    column = place + 1;
  }
  return aligned;
}

}  // namespace

void SheetRows::add(int row, std::vector<SheetCell> cells) {
  if (!cells.empty()) {
    rows_.push_back({row, std::move(cells)});
  }
}

void SheetRows::write(BlockAssembler& out) {
  for (std::size_t begin = 0; begin < rows_.size();) {
    std::size_t end = begin + 1;
    while (end < rows_.size() && rows_[end].row <= rows_[end - 1].row + 1) {
      ++end;
    }
    write_table(begin, end, out);
    begin = end;
  }
  rows_.clear();
}

void SheetRows::write_table(std::size_t begin, std::size_t end, BlockAssembler& out) const {
  constexpr std::size_t kMaxTitleRows = 8;
  std::vector<bool> is_used(kMaxColumns, false);
  for (std::size_t index = begin; index < end; ++index) {
    for (const SheetCell& cell : rows_[index].cells) {
      is_used[static_cast<std::size_t>(cell.column)] = true;
    }
  }
  std::vector<int> columns;
  for (int column = 0; column < kMaxColumns; ++column) {
    if (is_used[static_cast<std::size_t>(column)]) {
      columns.push_back(column);
    }
  }
  // Lines of one cell above a table are its title.
  const std::size_t title_end = std::min(end, begin + kMaxTitleRows);
  while (columns.size() > 1 && begin < title_end && rows_[begin].cells.size() == 1) {
    out.add(BlockKind::paragraph, rows_[begin++].cells.front().text);
  }
  const bool is_table = end - begin > 1;
  for (std::size_t index = begin; index < end; ++index) {
    const std::vector<std::string> cells = aligned_cells(rows_[index].cells, columns);
    const bool is_header = is_table && index == begin && reads_as_header(cells);
    if (!is_table && cells.size() == 1) {
      out.add(BlockKind::paragraph, cells.front());
    } else {
      out.add_row(is_header ? BlockKind::table_header : BlockKind::table_row, cells);
    }
  }
}

}  // namespace parley::retrieval::documents
