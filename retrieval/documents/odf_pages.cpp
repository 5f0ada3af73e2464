// The page-wise half of OdfText: sheets and slides.
#include <algorithm>
#include <string>
#include <utility>

#include "retrieval/documents/odf_text.h"

namespace parley::retrieval::documents {

void OdfText::read_sheet(XmlNode table) {
  out_.begin_page(table.attribute("table:name"));
  budget_ = TextBudget(out_.max_text_bytes());
  SheetRows rows;
  int row_index = 0;
  std::map<int, std::string> merged;
  collect_sheet_rows(table, row_index, rows, merged);
  if (!rows.empty()) {
    out_.add(BlockKind::heading, table.attribute("table:name"), 1);
  }
  rows.write(out_);
  pending_.clear();
}

// A cell that spans rows gives its text to the rows below too, so that each says what it is of.
std::vector<SheetCell> OdfText::read_sheet_row(XmlNode row, std::map<int, std::string>& merged) {
  std::vector<SheetCell> cells;
  int column = 0;
  for (const XmlNode cell : row) {
    const bool is_covered = cell.name() == "covered-table-cell";
    if (cell.name() != "table-cell" && !is_covered) {
      continue;
    }
    const int repeats = cell.attribute_int("number-columns-repeated", 1);
    const int end = std::min(column + std::clamp(repeats, 1, SheetRows::kMaxColumns), SheetRows::kMaxColumns);
    std::string text = cell.first_child() && !is_covered ? cell_text(cell) : "";
    if (text.empty() && !is_covered) {
      text = cell.attribute("office:value");
    }
    if (is_covered) {
      for (auto above = merged.lower_bound(column); above != merged.end() && above->first < end; ++above) {
        budget_.take(above->second.size());
        cells.push_back({above->first, above->second});
      }
    } else {
      merged.erase(merged.lower_bound(column), merged.lower_bound(end));
    }
    if (cell.attribute_int("number-rows-spanned", 1) > 1 && !text.empty()) {
      merged[column] = text;
    }
    for (; column < end && !text.empty(); ++column) {
      budget_.take(text.size());
      cells.push_back({column, text});
    }
    column = end;
  }
  return cells;
}

// Repeated rows and cells are stated as counts. A row that is repeated is written once: its copies would tell
// nothing new, and a count is free to be a billion.
void OdfText::collect_sheet_rows(XmlNode parent, int& row_index, SheetRows& rows,
                                 std::map<int, std::string>& merged) {
  for (const XmlNode node : parent) {
    const std::string_view name = node.name();
    if (name == "table-header-rows" || name == "table-rows" || name == "table-row-group") {
      collect_sheet_rows(node, row_index, rows, merged);
    }
    if (name != "table-row") {
      continue;
    }
    std::vector<SheetCell> cells = read_sheet_row(node, merged);
    const int repeats = std::clamp(node.attribute_int("number-rows-repeated", 1), 1, SheetRows::kMaxRows);
    const bool has_cells = !cells.empty();
    rows.add(row_index, std::move(cells));
    row_index = std::min(row_index + (has_cells ? 1 : repeats), SheetRows::kMaxRows);
  }
}

void OdfText::read_slide(XmlNode draw_page) {
  out_.begin_page("");
  const std::size_t num_before = out_.num_blocks();
  num_pictures_ = 0;
  for (const XmlNode frame : draw_page) {
    if (frame.name() == "frame" && frame.attribute("presentation:class") == "title") {
      std::string title = cell_text(frame.child("text-box"));
      std::replace(title.begin(), title.end(), '\n', ' ');
      out_.add(BlockKind::heading, title, 1);
    }
  }
  for (const XmlNode node : draw_page) {
    if (node.name() != "notes") {
      read_block(node, 0);
    }
  }
  flush_code();
  if (out_.num_blocks() == num_before && num_pictures_ > 0) {
    out_.add_note("slide " + std::to_string(out_.page()) + " is a picture: it needs OCR");
  }
  for (const XmlNode frame : draw_page.child("notes")) {
    if (frame.name() == "frame") {
      read_frame(frame);
    }
  }
  flush_code();
}

}  // namespace parley::retrieval::documents
