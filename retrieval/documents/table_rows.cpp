#include "retrieval/documents/table_rows.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace parley::retrieval::documents {

bool reads_as_number(std::string_view text) {
  int digits = 0, letters = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    digits += std::isdigit(byte) != 0 ? 1 : 0;
    letters += std::isalpha(byte) != 0 || byte >= 0xC3 ? 1 : 0;
  }
  return digits > letters;
}

bool reads_as_header(const std::vector<std::string>& cells) {
  constexpr std::size_t kMaxNameBytes = 80;
  const auto names_column = [](const std::string& cell) {
    return cell.find_first_not_of(" \t\n") != std::string::npos && cell.size() <= kMaxNameBytes &&
           !reads_as_number(cell);
  };
  return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), names_column);
}

void TableRows::add(std::vector<std::string> cells, Header header, const Box& box) {
  rows_.push_back({std::move(cells), header, box});
}

void TableRows::write(BlockAssembler& out) {
  const auto is_header = [](const Row& row) { return row.header == Header::yes; };
  if (std::none_of(rows_.begin(), rows_.end(), is_header) && rows_.size() > 1 &&
      reads_as_header(rows_.front().cells)) {
    rows_.front().header = Header::yes;
  }
  for (const Row& row : rows_) {
    if (rows_.size() == 1 && row.cells.size() == 1) {
      out.add(BlockKind::paragraph, row.cells.front(), 0, row.box);
    } else {
      out.add_row(is_header(row) ? BlockKind::table_header : BlockKind::table_row, row.cells, row.box);
    }
  }
  rows_.clear();
}

}  // namespace parley::retrieval::documents
