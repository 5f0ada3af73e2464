#include <gtest/gtest.h>

#include "retrieval/documents/office_readers.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::docx_paragraph;
using testing::docx_with;
using testing::Lines;
using testing::zip_of;

Lines docx_blocks(const std::string& body) {
  return testing::blocks_of(*make_docx_reader(), zip_of(docx_with(body)));
}

std::string docx_cell(const std::string& text, const std::string& properties = "") {
  return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + docx_paragraph(text) + "</w:tc>";
}

TEST(DocxReader, FindsHeadingsByStyleAndOutlineLevel) {
  EXPECT_EQ(
      docx_blocks(docx_paragraph("Book", "T") + docx_paragraph("One", "H1") + docx_paragraph("Two", "H2") +
                  docx_paragraph("Own", "Own") + docx_paragraph("Loop", "Loop") +
                  "<w:p><w:pPr><w:outlineLvl w:val=\"3\"/></w:pPr><w:r><w:t>Direct</w:t></w:r></w:p>"),
      (Lines{"heading 1: Book", "heading 1: One", "heading 2: Two", "heading 1: Own", "paragraph: Loop",
             "heading 4: Direct"}));
}

TEST(DocxReader, FindsListsQuotesAndCode) {
  EXPECT_EQ(
      docx_blocks(
          "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"4\"/></w:numPr></w:pPr><w:r><w:t>deep"
          "</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:numId w:val=\"0\"/></w:numPr></w:pPr><w:r><w:t>off"
          "</w:t></w:r></w:p>" +
          docx_paragraph("dot", "LB") + docx_paragraph("said", "Q") + docx_paragraph("if (a)", "C") +
          docx_paragraph("  b();", "C") + docx_paragraph("end")),
      (Lines{"item 2: deep", "paragraph: off", "item 1: dot", "quote: said", "code: if (a)\n  b();",
             "paragraph: end"}));
}

TEST(DocxReader, ReadsRunsAsTheyAreShown) {
  EXPECT_EQ(
      docx_blocks(
          "<w:p><w:r><w:t>A</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>"
          "</w:r><w:ins><w:r><w:t xml:space=\"preserve\"> new</w:t></w:r></w:ins><w:del><w:r><w:delText>"
          "old</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:hyperlink>"
          "<w:r><w:t xml:space=\"preserve\"> link</w:t></w:r></w:hyperlink><w:r><w:instrText>PAGE"
          "</w:instrText></w:r></w:p>"),
      (Lines{"paragraph: A b\nc-d new link"}));
}

TEST(DocxReader, PutsNotesAndTextBoxesBehindTheirParagraph) {
  EXPECT_EQ(
      docx_blocks(
          "<w:p><w:r><w:t>Before</w:t><w:footnoteReference w:id=\"2\"/></w:r><w:r><mc:AlternateContent>"
          "<mc:Choice><w:txbxContent>" +
          docx_paragraph("In a box") + "</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>" +
          docx_paragraph("In a box") + "</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>" +
          docx_paragraph("After")),
      (Lines{"paragraph: Before", "paragraph: The first note.", "paragraph: In a box", "paragraph: After"}));
}

TEST(DocxReader, ReadsTablesByRows) {
  const std::string restart = "<w:vMerge w:val=\"restart\"/>", on = "<w:vMerge/>";
  EXPECT_EQ(docx_blocks("<w:tbl><w:tr>" + docx_cell("Kind") + docx_cell("Name") + docx_cell("Size") +
                        "</w:tr><w:tr>" + docx_cell("Tree", restart) + docx_cell("Oak") + docx_cell("20") +
                        "</w:tr><w:tr>" + docx_cell("", on) +
                        docx_cell("Ash | elm", "<w:gridSpan w:val=\"2\"/>") + "</w:tr></w:tbl>"),
            (Lines{"columns: Kind | Name | Size", "row: Tree | Oak | 20", "row: Tree | Ash | elm"}));
  EXPECT_EQ(docx_blocks("<w:tbl><w:tr>" + docx_cell("Only a frame") + "</w:tr></w:tbl>"),
            (Lines{"paragraph: Only a frame"}));
  EXPECT_EQ(docx_blocks("<w:tbl><w:tr>" + docx_cell("1") + docx_cell("2") +
                        "</w:tr><w:tr><w:trPr><w:tblHeader/>"
                        "</w:trPr>" +
                        docx_cell("3") + docx_cell("4") + "</w:tr></w:tbl>"),
            (Lines{"row: 1 | 2", "columns: 3 | 4"}));
}

TEST(DocxReader, LeavesOutTablesOfContents) {
  EXPECT_EQ(docx_blocks("<w:sdt><w:sdtContent>" + docx_paragraph("Soil 3", "TOC1") +
                        "</w:sdtContent></w:sdt>" + docx_paragraph("Text")),
            (Lines{"paragraph: Text"}));
}

TEST(DocxReader, TakesTheTitleFromThePropertiesFirst) {
  const std::string body = docx_paragraph("Inside", "T");
  EXPECT_EQ(testing::read_document(*make_docx_reader(), zip_of(docx_with(body))).title, "Inside");
  const std::string core = "<cp:coreProperties><dc:title>Stated</dc:title></cp:coreProperties>";
  const Document document =
      testing::read_document(*make_docx_reader(), zip_of(docx_with(body, {{"docProps/core.xml", core}})));
  EXPECT_EQ(document.title, "Stated");
  EXPECT_EQ(document.num_pages, 0);
}

TEST(DocxReader, SaysWhyItFails) {
  const auto reader = make_docx_reader();
  using Kind = ReadFailure::Kind;
  EXPECT_EQ(testing::read_failure(*reader, "").kind, Kind::damaged);
  EXPECT_EQ(testing::read_failure(*reader, zip_of({{"a.txt", "x"}})).kind, Kind::damaged);
  EXPECT_EQ(testing::read_failure(*reader, zip_of(docx_with("<w:p/>"))).kind, Kind::empty);
  const std::string ole = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 old";
  EXPECT_EQ(testing::read_failure(*reader, ole).kind, Kind::unsupported);
  EXPECT_EQ(testing::read_failure(*reader,
                                  ole + std::string("E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0", 32))
                .kind,
            Kind::encrypted);
  ReadLimits limits;
  limits.max_text_bytes = 50;
  EXPECT_EQ(
      testing::read_failure(*reader, zip_of(docx_with(docx_paragraph(std::string(100, 'a')))), limits).kind,
      Kind::over_limit);
  limits = {};
  limits.max_blocks = 1;
  EXPECT_EQ(
      testing::read_failure(*reader, zip_of(docx_with(docx_paragraph("a") + docx_paragraph("b"))), limits)
          .kind,
      Kind::over_limit);
}

}  // namespace
}  // namespace parley::retrieval::documents
