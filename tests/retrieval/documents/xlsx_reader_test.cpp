#include <gtest/gtest.h>

#include "retrieval/documents/number_format.h"
#include "retrieval/documents/office_readers.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::Lines;
using testing::xlsx_with;
using testing::zip_of;

Lines sheet_blocks(const std::string& sheet, const std::string& properties = "") {
  return testing::blocks_of(*make_xlsx_reader(), zip_of(xlsx_with(sheet, "", properties)));
}

std::string text_cell(const std::string& place, const std::string& text) {
  return "<c r=\"" + place + "\" t=\"inlineStr\"><is><t>" + text + "</t></is></c>";
}

TEST(XlsxReader, ReadsSharedStringsAndNamesSheets) {
  const Document document = testing::read_document(*make_xlsx_reader(), zip_of(testing::xlsx_members()));
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"heading 1: Costs", "columns: Item | Price", "row: Seeds | 12.5"}));
  EXPECT_EQ(document.page_names, Lines{"Costs"});
  EXPECT_EQ(document.blocks.front().page, 1);
}

TEST(XlsxReader, ShowsNumbersAsTheirFormatsMeanThem) {
  const std::string row =
      "<sheetData><row><c s=\"1\"><v>45352</v></c><c s=\"2\"><v>0.125</v></c><c "
      "s=\"3\"><v>45352.5625</v></c><c><v>"
      "0.1</v></c><c t=\"b\"><v>1</v></c><c t=\"str\"><v>made</v></c><c "
      "t=\"e\"><v>#N/A</v></c></row></sheetData>";
  EXPECT_EQ(sheet_blocks(row).at(1),
            "row: 2024-03-01 | 12.5% | 2024-03-01 13:30:00 | 0.1 | TRUE | made | #N/A");
  EXPECT_EQ(sheet_blocks("<sheetData><row><c s=\"1\"><v>0</v></c><c><v>2</v></c></row></sheetData>",
                         "<workbookPr date1904=\"1\"/>")
                .at(1),
            "row: 1904-01-01 | 2");
}

TEST(XlsxReader, KeepsColumnsApartAndLeavesOutUnusedOnes) {
  EXPECT_EQ(sheet_blocks("<sheetData><row r=\"2\">" + text_cell("B2", "Name") + text_cell("D2", "Town") +
                         text_cell("G2", "Note") + "</row><row r=\"3\">" + text_cell("B3", "Ann") +
                         text_cell("G3", "new") + "</row></sheetData>"),
            (Lines{"heading 1: Costs", "columns: Name | Town | Note", "row: Ann | | new"}));
}

TEST(XlsxReader, GivesMergedTextToEachRowItSpans) {
  const std::string sheet = "<sheetData><row r=\"1\">" + text_cell("A1", "North") + text_cell("B1", "1") +
                            "</row><row r=\"2\">" + text_cell("B2", "2") + "</row><row r=\"3\">" +
                            text_cell("B3", "3") +
                            "</row></sheetData><mergeCells><mergeCell ref=\"A1:A2\"/></mergeCells>";
  EXPECT_EQ(sheet_blocks(sheet), (Lines{"heading 1: Costs", "row: North | 1", "row: North | 2", "row: | 3"}));
}

TEST(XlsxReader, PartsTablesAtEmptyRowsAndReadsTheirTitles) {
  const std::string sheet =
      "<sheetData><row r=\"1\">" + text_cell("A1", "Sales of 2024") + "</row><row r=\"2\">" +
      text_cell("A2", "Shop") + text_cell("B2", "Sum") + "</row><row r=\"3\">" + text_cell("A3", "Ost") +
      text_cell("B3", "10") + "</row><row r=\"6\">" + text_cell("A6", "Person") + text_cell("B6", "Age") +
      "</row><row r=\"7\">" + text_cell("A7", "Bo") + text_cell("B7", "40") + "</row></sheetData>";
  EXPECT_EQ(sheet_blocks(sheet), (Lines{"heading 1: Costs", "paragraph: Sales of 2024", "columns: Shop | Sum",
                                        "row: Ost | 10", "columns: Person | Age", "row: Bo | 40"}));
}

TEST(XlsxReader, BearsSparseSheetsWithinLimits) {
  std::string rows;
  for (int row = 1; row <= 3000; ++row) {
    const char letters[] = {static_cast<char>('A' + row % 26), static_cast<char>('A' + row / 26 % 26), '\0'};
    rows += "<row r=\"" + std::to_string(row) + "\">" +
            text_cell("A" + std::string(letters) + std::to_string(row), "x") + "</row>";
  }
  const Document document =
      testing::read_document(*make_xlsx_reader(), zip_of(xlsx_with("<sheetData>" + rows + "</sheetData>")));
  EXPECT_LT(document.text.size(), 20'000U);
}

TEST(NumberFormat, TellsDatesFromNumbers) {
  EXPECT_EQ(meaning_of_code("General"), NumberMeaning::number);
  EXPECT_EQ(meaning_of_code("0.00"), NumberMeaning::number);
  EXPECT_EQ(meaning_of_code("0.0%"), NumberMeaning::percent);
  EXPECT_EQ(meaning_of_code("dd/mm/yyyy"), NumberMeaning::date);
  EXPECT_EQ(meaning_of_code("mmm"), NumberMeaning::date);
  EXPECT_EQ(meaning_of_code("h:mm AM/PM"), NumberMeaning::time);
  EXPECT_EQ(meaning_of_code("[h]:mm"), NumberMeaning::duration);
  EXPECT_EQ(meaning_of_code("[$-409]d\\-mmm\\-yy;@"), NumberMeaning::date);
  EXPECT_EQ(meaning_of_code("#,##0\" days\""), NumberMeaning::number);
  EXPECT_EQ(meaning_of_code("[Red]0"), NumberMeaning::number);
  EXPECT_EQ(meaning_of_code("0;[h]"), NumberMeaning::number);
  EXPECT_EQ(meaning_of_code("\"open"), NumberMeaning::number);
}

TEST(NumberFormat, ShowsDatesAsSpreadsheetsCountThem) {
  const auto shown = [](double value, NumberMeaning meaning) {
    return shown_number(value, meaning, DateSystem::from_1900);
  };
  EXPECT_EQ(shown(1, NumberMeaning::date), "1900-01-01");
  EXPECT_EQ(shown(59, NumberMeaning::date), "1900-02-28");
  EXPECT_EQ(shown(61, NumberMeaning::date), "1900-03-01");
  EXPECT_EQ(shown(45352.75, NumberMeaning::date), "2024-03-01 18:00:00");
  EXPECT_EQ(shown(0.5, NumberMeaning::time), "12:00:00");
  EXPECT_EQ(shown(1.5, NumberMeaning::duration), "36:00:00");
  EXPECT_EQ(shown(-1, NumberMeaning::date), "-1");
  EXPECT_EQ(shown(1e300, NumberMeaning::date), "1e+300");
  EXPECT_EQ(shown(1234567, NumberMeaning::number), "1234567");
  EXPECT_EQ(shown_number("0.30000000000000004", NumberMeaning::percent, DateSystem::from_1900), "30%");
  EXPECT_EQ(shown_number("abc", NumberMeaning::date, DateSystem::from_1900), "abc");
}

}  // namespace
}  // namespace parley::retrieval::documents
