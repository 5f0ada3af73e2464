#include "retrieval/documents/pdf_reader.h"

#include <gtest/gtest.h>

#include "tests/retrieval/documents/pdf_builder.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::Lines;
using testing::pdf_of;
using testing::PdfFont;
using testing::PdfPageBuilder;

Document pdf_document(const std::vector<PdfPageBuilder>& pages) {
  return testing::read_document(*make_pdf_reader(), pdf_of(pages));
}
Lines page_blocks(const PdfPageBuilder& page) { return testing::shown_blocks(pdf_document({page})); }

const Lines kLeft = {
    "Tides are the rise and fall of sea levels that are", "caused by the pull of the moon and the sun and by",
    "the rotation of the earth. Their height was fore-", "cast with machines of brass long before computers",
    "existed, and every harbour printed its own tables."};
const Lines kRight = {
    "Sailors who knew the tables could cross a bar with", "deep ships at high water. Those who did not know",
    "them waited, or lost the ship. Today the numbers", "come by radio, and the bar is dredged every year",
    "so that even the largest ships can always enter."};

// Line by line over both columns, as some programs write it: order in the file says nothing.
PdfPageBuilder two_columns() {
  PdfPageBuilder page;
  page.text(72, 80, "The tides of the northern coast", 20);
  page.text(
      72, 110,
      "A summary that runs over both columns of the page, so that no white space goes all the way down.");
  for (std::size_t index = 0; index < kLeft.size(); ++index) {
    const float y = 140 + 12 * static_cast<float>(index);
    page.text(320, y, kRight[index]).text(72, y, kLeft[index]);
  }
  return page;
}

TEST(PdfReader, ReadsColumnsOneAfterTheOther) {
  EXPECT_EQ(
      page_blocks(two_columns()),
      (Lines{
          "heading 1: The tides of the northern coast",
          "paragraph: A summary that runs over both columns of the page, so that no white space goes all the "
          "way down.",
          "paragraph: Tides are the rise and fall of sea levels that are caused by the pull of the moon and "
          "the "
          "sun and by the rotation of the earth. Their height was forecast with machines of brass long "
          "before "
          "computers existed, and every harbour printed its own tables.",
          "paragraph: Sailors who knew the tables could cross a bar with deep ships at high water. Those who "
          "did "
          "not know them waited, or lost the ship. Today the numbers come by radio, and the bar is dredged "
          "every "
          "year so that even the largest ships can always enter."}));
}

TEST(PdfReader, SaysWhereBlocksStand) {
  const Document document =
      pdf_document({PdfPageBuilder().text(72, 100, "Only words on the first page here."),
                    PdfPageBuilder().text(100, 200, "Other words on the second page here.")});
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.num_pages, 2);
  EXPECT_EQ(document.blocks[1].page, 2);
  const Box& box = document.blocks[1].box;
  EXPECT_NEAR(box.left, 100, 1);
  EXPECT_NEAR(box.right, 260, 15);
  EXPECT_LT(box.top, 195);
  EXPECT_GT(box.bottom, 199);
  EXPECT_NEAR(box.bottom - box.top, 10, 4);
}

TEST(PdfReader, JoinsBrokenWordsAndKeepsCompounds) {
  const Document document = pdf_document(
      {PdfPageBuilder().lines(72, 100, 12,
                              {"A well-known harbour and its light-house keeper were men-",
                               "tioned in every guide of that coast, and the well-",
                               "known storm of 1897 was described there, by an UNDER-", "TAKER of Norse-",
                               "American birth. The undertaker was his own guide."})});
  EXPECT_EQ(
      document.text,
      "A well-known harbour and its light-house keeper were mentioned in every guide of that coast, and the "
      "well-known storm of 1897 was described there, by an UNDERTAKER of Norse-American birth. The "
      "undertaker was "
      "his own guide.\n");
}

TEST(PdfReader, WritesLigaturesAsLetters) {
  EXPECT_EQ(page_blocks(PdfPageBuilder().text(72, 100,
                                              "The of\x01"
                                              "cer \x02"
                                              "ew to the \x01"
                                              "eld.")),
            Lines{"paragraph: The officer flew to the field."});
}

TEST(PdfReader, TellsHeadingsByTheirPrint) {
  PdfPageBuilder page;
  page.text(72, 80, "Boats", 24).text(72, 120, "Sails", 16);
  page.lines(
      72, 150, 12,
      {"Sails catch the wind and move the boat over the sea,", "and many are made of canvas or of nylon."});
  page.text(72, 190, "Rigging", 10, PdfFont::bold);
  page.lines(72, 210, 12,
             {"Ropes hold the mast where it is, and they are looked", "at before each journey."});
  EXPECT_EQ(
      page_blocks(page),
      (Lines{
          "heading 1: Boats", "heading 2: Sails",
          "paragraph: Sails catch the wind and move the boat over the sea, and many are made of canvas or of "
          "nylon.",
          "heading 3: Rigging",
          "paragraph: Ropes hold the mast where it is, and they are looked at before each journey."}));
}

TEST(PdfReader, PartsParagraphsByGapsAndIndents) {
  EXPECT_EQ(page_blocks(PdfPageBuilder()
                            .lines(72, 100, 12,
                                   {"The first paragraph has two lines of text, and this is",
                                    "the second one "
                                    "of them, which is just about as long."})
                            .text(84, 124, "An indented line begins the second one, which has")
                            .text(72, 136, "one more line that stands at the margin of the text.")
                            .text(72, 168, "A gap begins the third.")),
            (Lines{"paragraph: The first paragraph has two lines of text, and this is the second one of "
                   "them, which is just "
                   "about as long.",
                   "paragraph: An indented line begins the second one, which has one more line that stands "
                   "at the margin of "
                   "the text.",
                   "paragraph: A gap begins the third."}));
}

TEST(PdfReader, FindsListsTablesAndCode) {
  PdfPageBuilder page;
  page.text(72, 80, "What to take along on a journey of one day or two:");
  page.text(72, 95, "\x95 A rope that is long enough for both of the anchors and")
      .text(80, 107, "dry when it is packed.");
  page.text(72, 119, "\x95 Bread.").text(72, 131, "1. Water first");
  const Lines rows[] = {{"Harbour", "Depth", "Light"},
                        {"Husum", "3.5", "red"},
                        {"Wyk", "4", "green and"},
                        {"", "", "white"},
                        {"List", "2.5", "none"}};
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 3; ++column) {
      page.text(72 + 120 * static_cast<float>(column), 170 + 12 * static_cast<float>(row),
                rows[row][static_cast<std::size_t>(column)]);
    }
  }
  page.text(72, 260, "if (tide) {", 10, PdfFont::monospaced)
      .text(90, 272, "sail();", 10, PdfFont::monospaced);
  page.text(72, 284, "}", 10, PdfFont::monospaced);
  EXPECT_EQ(page_blocks(page),
            (Lines{"paragraph: What to take along on a journey of one day or two:",
                   "item 1: A rope that is long enough for both of the anchors and dry when it is packed.",
                   "item 1: Bread.", "item 1: 1. Water first", "columns: Harbour | Depth | Light",
                   "row: Husum | 3.5 | red", "row: Wyk | 4 | green and white", "row: List | 2.5 | none",
                   "code: if (tide) {\n   sail();\n}"}));
}

TEST(PdfReader, DropsRunningHeadersFootersAndPageNumbers) {
  std::vector<PdfPageBuilder> pages;
  Lines expected;
  for (int number = 1; number <= 12; ++number) {
    PdfPageBuilder page;
    page.text(72, 40,
              number % 2 == 0 ? "North Sea Pilot" : "Chapter " + std::to_string((number - 1) / 6 + 1));
    const std::string text =
        "Page text " + std::string(1, static_cast<char>('a' + number)) + " tells of the sea.";
    page.text(72, 100, text);
    expected.push_back("paragraph: " + text);
    page.text(300, 760,
              number < 3 ? std::string(static_cast<std::size_t>(number), 'i') : std::to_string(number));
    pages.push_back(page);
  }
  const Document document = pdf_document(pages);
  EXPECT_EQ(testing::shown_blocks(document), expected);
}

TEST(PdfReader, KeepsLinesThatOnlyLookLikeFurniture) {
  std::vector<PdfPageBuilder> pages;
  const char* numbers[] = {"71", "34", "9", "55"};
  for (int page = 0; page < 4; ++page) {
    pages.push_back(PdfPageBuilder()
                        .text(72, 40, "Invoice number " + std::string(numbers[page]) + " of the harbour")
                        .text(72, 300, "Paid on time.")
                        .text(72, 400, "Day " + std::to_string(page + 1)));
  }
  const Document document = pdf_document(pages);
  EXPECT_EQ(document.blocks.size(), 12U);
  EXPECT_NE(document.text.find("Invoice number 34"), std::string::npos);
}

TEST(PdfReader, ReadsTurnedTextAndPutsItsBoxOnThePage) {
  PdfPageBuilder page;
  page.text(72, 100, "Upright words are the most words on this page.");
  page.upward_text(40, 500, "At the margin", 10);
  const Document document = pdf_document({page});
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"paragraph: Upright words are the most words on this page.", "paragraph: At the margin"}));
  const Box& box = document.blocks[1].box;
  EXPECT_LT(box.right - box.left, 15);
  EXPECT_GT(box.bottom - box.top, 40);
  EXPECT_NEAR(box.bottom, 500, 2);
}

TEST(PdfReader, NamesPagesThatNeedOcr) {
  const Document document = pdf_document(
      {PdfPageBuilder().text(72, 100, "A page of text."), PdfPageBuilder().picture(), PdfPageBuilder()});
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0].page, 2);
  EXPECT_EQ(document.notes[0].reason, "page 2 is a picture: it needs OCR");
  EXPECT_EQ(document.num_pages, 3);
  const auto reader = make_pdf_reader();
  EXPECT_EQ(testing::read_failure(*reader, pdf_of({PdfPageBuilder().picture()})).kind,
            ReadFailure::Kind::needs_ocr);
  EXPECT_EQ(testing::read_failure(*reader, pdf_of({PdfPageBuilder()})).kind, ReadFailure::Kind::empty);
}

TEST(PdfReader, TakesTheTitleFromTheFileOrTheLargestHeading) {
  const auto title_of = [](const std::string& information) {
    return testing::read_document(*make_pdf_reader(), pdf_of({two_columns()}, information)).title;
  };
  EXPECT_EQ(title_of("/Title (Stated title)"), "Stated title");
  EXPECT_EQ(title_of("/Title (paper.dvi)"), "The tides of the northern coast");
  EXPECT_EQ(title_of(""), "The tides of the northern coast");
}

}  // namespace
}  // namespace parley::retrieval::documents
