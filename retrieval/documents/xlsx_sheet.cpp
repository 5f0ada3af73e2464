#include "retrieval/documents/xlsx_sheet.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "retrieval/documents/format_error.h"

namespace parley::retrieval::documents {
namespace {

struct CellPlace {
  int column = -1, row = -1;  // from 0; -1: not said
};

// "BC12". Absolute marks do not occur in the places that are read.
CellPlace cell_place(std::string_view name) {
  CellPlace place;
  std::size_t index = 0;
  int column = 0;
  for (; index < name.size() && name[index] >= 'A' && name[index] <= 'Z' && index < 3; ++index) {
    column = column * 26 + (name[index] - 'A' + 1);
  }
  place.column = std::min(column, SheetRows::kMaxColumns) - 1;
  int row = 0;
  std::from_chars(name.data() + index, name.data() + name.size(), row);
  place.row = std::clamp(row, 0, SheetRows::kMaxRows) - 1;
  return place;
}

// Of a string item: its runs, without the reading aids of Asian texts.
std::string rich_text(XmlNode item) {
  std::string text;
  for (const XmlNode node : item) {
    if (node.name() == "t") {
      text += node.all_text();
    } else if (node.name() == "r") {
      text += node.child("t").all_text();
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> read_shared_strings(XmlNode table, std::size_t max_bytes) {
  std::vector<std::string> strings;
  std::size_t bytes = 0;
  for (const XmlNode item : table) {
    if (item.name() == "si") {
      strings.push_back(rich_text(item));
      bytes += strings.back().size();
    }
    if (bytes > max_bytes) {
      throw FormatError(ReadFailure::Kind::over_limit,
                        "its strings are longer than " + std::to_string(max_bytes >> 20) + " MiB");
    }
  }
  return strings;
}

std::vector<NumberMeaning> read_number_meanings(XmlNode style_sheet) {
  std::map<int, NumberMeaning> own;
  for (const XmlNode format : style_sheet.child("numFmts")) {
    own[format.attribute_int("numFmtId", -1)] = meaning_of_code(format.attribute("formatCode"));
  }
  std::vector<NumberMeaning> meanings;
  for (const XmlNode style : style_sheet.child("cellXfs")) {
    if (style.name() == "xf") {
      const int id = style.attribute_int("numFmtId", 0);
      const auto found = own.find(id);
      meanings.push_back(found == own.end() ? builtin_meaning(id) : found->second);
    }
  }
  return meanings;
}

XlsxSheet::XlsxSheet(const XlsxWorkbook& workbook, std::size_t max_text_bytes)
    : workbook_(workbook), budget_(max_text_bytes) {}

SheetRows XlsxSheet::read(XmlNode worksheet) {
  read_merges(worksheet.child("mergeCells"));
  SheetRows rows;
  int row_index = -1;
  for (const XmlNode row : worksheet.child("sheetData")) {
    if (row.name() != "row") {
      continue;
    }
    const int said = row.attribute_int("r", 0) - 1;
    row_index = said > row_index ? std::min(said, SheetRows::kMaxRows) : row_index + 1;
    std::vector<SheetCell> cells;
    read_row(row, row_index, cells);
    rows.add(row_index, std::move(cells));
  }
  return rows;
}

void XlsxSheet::read_merges(XmlNode merges) {
  for (const XmlNode node : merges) {
    const std::string_view range = node.attribute("ref");
    const std::size_t colon = range.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const CellPlace first = cell_place(range.substr(0, colon)), last = cell_place(range.substr(colon + 1));
    if (first.column >= 0 && first.row >= 0 && last.row > first.row) {
      Merge merge;
      merge.column = first.column;
      merge.first_row = first.row;
      merge.last_row = last.row;
      coming_.emplace(first.row, std::move(merge));
    }
  }
}

void XlsxSheet::read_row(XmlNode row, int row_index, std::vector<SheetCell>& cells) {
  int column = -1;
  bool is_sorted = true;
  for (const XmlNode node : row) {
    if (node.name() != "c") {
      continue;
    }
    const int said = cell_place(node.attribute("r")).column;
    column = std::min(said >= 0 ? said : column + 1, SheetRows::kMaxColumns - 1);
    std::string text = cell_text(node);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      continue;
    }
    budget_.take(text.size());
    is_sorted = is_sorted && (cells.empty() || cells.back().column < column);
    cells.push_back({column, std::move(text)});
  }
  if (!is_sorted) {
    const auto by_column = [](const SheetCell& a, const SheetCell& b) { return a.column < b.column; };
    const auto same = [](const SheetCell& a, const SheetCell& b) { return a.column == b.column; };
    std::stable_sort(cells.begin(), cells.end(), by_column);
    cells.erase(std::unique(cells.begin(), cells.end(), same), cells.end());
  }
  apply_merges(row_index, cells);
}

std::string XlsxSheet::cell_text(XmlNode cell) const {
  const std::string_view type = cell.attribute("t");
  if (type == "inlineStr") {
    return rich_text(cell.child("is"));
  }
  std::string value = cell.child("v").all_text();
  if (type == "s") {
    std::size_t index = workbook_.shared_strings.size();
    std::from_chars(value.data(), value.data() + value.size(), index);
    return index < workbook_.shared_strings.size() ? workbook_.shared_strings[index] : "";
  }
  if (type == "b") {
    return value == "1" ? "TRUE" : "FALSE";
  }
  if (!type.empty() && type != "n") {
    return value;  // a formula's text, an error, an ISO date
  }
  const auto style = static_cast<std::size_t>(std::max(cell.attribute_int("s", 0), 0));
  const NumberMeaning meaning =
      style < workbook_.meanings.size() ? workbook_.meanings[style] : NumberMeaning::number;
  return shown_number(value, meaning, workbook_.date_system);
}

void XlsxSheet::apply_merges(int row_index, std::vector<SheetCell>& cells) {
  if (cells.empty()) {
    return;  // an empty row stays one; the merges are looked at in the next row
  }
  const auto find = [&](int column) {
    const auto found = std::lower_bound(cells.begin(), cells.end(), column,
                                        [](const SheetCell& cell, int c) { return cell.column < c; });
    return found != cells.end() && found->column == column ? &*found : nullptr;
  };
  std::erase_if(running_, [&](const auto& entry) { return entry.second.last_row < row_index; });
  std::vector<SheetCell> filled;
  for (const auto& [column, merge] : running_) {
    if (find(column) == nullptr) {
      budget_.take(merge.text.size());
      filled.push_back({column, merge.text});
    }
  }
  while (!coming_.empty() && coming_.begin()->first <= row_index) {
    Merge merge = std::move(coming_.begin()->second);
    coming_.erase(coming_.begin());
    const SheetCell* anchor = merge.first_row == row_index ? find(merge.column) : nullptr;
    if (anchor != nullptr) {
      merge.text = anchor->text;
      running_.insert_or_assign(merge.column, std::move(merge));
    }
  }
  if (!filled.empty()) {
    cells.insert(cells.end(), filled.begin(), filled.end());
    std::sort(cells.begin(), cells.end(),
              [](const SheetCell& a, const SheetCell& b) { return a.column < b.column; });
  }
}

}  // namespace parley::retrieval::documents
