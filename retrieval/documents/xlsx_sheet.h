#pragma once
// Turns one sheet of an XLSX (SpreadsheetML, ECMA-376 part 1, 18.3) into rows. One thread. Throws
// FormatError.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/number_format.h"
#include "retrieval/documents/sheet_rows.h"
#include "retrieval/documents/text_budget.h"
#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

// What all sheets of a workbook share.
struct XlsxWorkbook {
  std::vector<std::string> shared_strings;
  std::vector<NumberMeaning> meanings;  // by cell style
  DateSystem date_system = DateSystem::from_1900;
};

std::vector<std::string> read_shared_strings(XmlNode table, std::size_t max_bytes);
std::vector<NumberMeaning> read_number_meanings(XmlNode style_sheet);

class XlsxSheet {
 public:
  XlsxSheet(const XlsxWorkbook& workbook, std::size_t max_text_bytes);

  SheetRows read(XmlNode worksheet);

 private:
  // A merged range over several rows: its text is given to the rows below too, so that each says what it is
  // of.
  struct Merge {
    int column = 0, first_row = 0, last_row = 0;
    std::string text;
  };

  void read_merges(XmlNode merges);
  void read_row(XmlNode row, int row_index, std::vector<SheetCell>& cells);
  std::string cell_text(XmlNode cell) const;
  void apply_merges(int row_index, std::vector<SheetCell>& cells);

  const XlsxWorkbook& workbook_;
  TextBudget budget_;
  std::multimap<int, Merge> coming_;  // by first row
  std::map<int, Merge> running_;      // by column
};

}  // namespace parley::retrieval::documents
