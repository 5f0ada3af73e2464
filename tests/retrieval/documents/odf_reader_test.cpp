#include <gtest/gtest.h>

#include "retrieval/documents/office_readers.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::Lines;
using testing::odf_with;
using testing::zip_of;

Document odf_document(const std::string& body, const std::string& styles = "") {
  return testing::read_document(*make_odf_reader(), zip_of(odf_with(body, styles)));
}

Lines odt_blocks(const std::string& text, const std::string& styles = "") {
  return testing::shown_blocks(odf_document("<office:text>" + text + "</office:text>", styles));
}

std::string odf_cell(const std::string& text, const std::string& attributes = "") {
  return "<table:table-cell " + attributes + "><text:p>" + text + "</text:p></table:table-cell>";
}

TEST(OdfReader, ReadsHeadingsParagraphsAndNestedLists) {
  const Document document = odf_document(
      "<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h "
      "text:outline-level=\"2\">"
      "Birds</text:h><text:section><text:p>A<text:s "
      "text:c=\"3\"/>robin<text:tab/>sings<text:line-break/>loud.</text:p>"
      "</text:section><text:list><text:list-item><text:p>Wren</"
      "text:p><text:list><text:list-item><text:p>Nest</text:p>"
      "</text:list-item></text:list></text:list-item></text:list></office:text>");
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"heading 2: Birds", "paragraph: A robin sings\nloud.", "item 1: Wren", "item 2: Nest"}));
  EXPECT_EQ(document.title, "Field notes");
  EXPECT_EQ(document.media_type, "application/vnd.oasis.opendocument.text");
}

TEST(OdfReader, KnowsStylesThatAreDerivedFromNamedOnes) {
  EXPECT_EQ(
      odt_blocks(
          "<text:p text:style-name=\"P1\">Top</text:p><text:p text:style-name=\"Quotations\">Said</text:p>"
          "<text:p text:style-name=\"P2\">x = 1</text:p><text:p text:style-name=\"P2\">y = 2</text:p>",
          "<style:style style:name=\"P1\" style:parent-style-name=\"Title\"/><style:style "
          "style:name=\"P2\" style:parent-style-name=\"Preformatted_20_Text\"/>"),
      (Lines{"heading 1: Top", "quote: Said", "code: x = 1\ny = 2"}));
}

TEST(OdfReader, PutsNotesBehindTheirParagraphAndLeavesOutComments) {
  EXPECT_EQ(
      odt_blocks(
          "<text:p>Owl<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>At night."
          "</text:p></text:note-body></text:note><office:annotation><text:p>check</text:p>"
          "</office:annotation> hoots</text:p><text:p>End</text:p>"),
      (Lines{"paragraph: Owl hoots", "paragraph: At night.", "paragraph: End"}));
}

TEST(OdfReader, ReadsTablesWithSpans) {
  EXPECT_EQ(odt_blocks("<table:table><table:table-header-rows><table:table-row>" + odf_cell("Bird") +
                       odf_cell("Egg") + "</table:table-row></table:table-header-rows><table:table-row>" +
                       odf_cell("Tit", "table:number-rows-spanned=\"2\"") + odf_cell("white") +
                       "</table:table-row><table:table-row><table:covered-table-cell/>" +
                       odf_cell("spotted") + "</table:table-row></table:table>"),
            (Lines{"columns: Bird | Egg", "row: Tit | white", "row: Tit | spotted"}));
}

TEST(OdfReader, ReadsSheetsWithRepeatsThatAreNotBelieved) {
  const Document document = odf_document(
      "<office:spreadsheet><table:table table:name=\"Nests\"><table:table-row>" + odf_cell("Place") +
      odf_cell("Count") + "</table:table-row><table:table-row table:number-rows-repeated=\"1000000000\">" +
      odf_cell("Hedge") +
      "<table:table-cell office:value=\"3\"/><table:table-cell table:number-columns-repeated=\"2000000000\"/>"
      "</table:table-row><table:table-row "
      "table:number-rows-repeated=\"1000\"><table:table-cell/></table:table-row>"
      "<table:table-row>" +
      odf_cell("Alone") +
      "</table:table-row></table:table><table:table table:name=\"Empty\"/>"
      "</office:spreadsheet>");
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"heading 1: Nests", "columns: Place | Count", "row: Hedge | 3", "paragraph: Alone"}));
  EXPECT_EQ(document.page_names, (Lines{"Nests", "Empty"}));
  EXPECT_EQ(document.media_type, "application/vnd.oasis.opendocument.spreadsheet");
}

TEST(OdfReader, ReadsSlidesTitleFirst) {
  const Document document = odf_document(
      "<office:presentation><draw:page><draw:frame><draw:text-box><text:list><text:list-item><text:p>Beak</"
      "text:p>"
      "</text:list-item></text:list></draw:text-box></draw:frame><draw:frame presentation:class=\"title\">"
      "<draw:text-box><text:p>Parts</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame>"
      "<draw:text-box><text:p>Slowly</text:p></draw:text-box></draw:frame></presentation:notes></"
      "draw:page><draw:page>"
      "<draw:frame><draw:image/></draw:frame></draw:page></office:presentation>");
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"heading 1: Parts", "item 1: Beak", "paragraph: Slowly"}));
  EXPECT_EQ(document.num_pages, 2);
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0].page, 2);
}

TEST(OdfReader, TellsEncryptedFilesApart) {
  auto members = testing::odt_members();
  members.push_back(
      {"META-INF/manifest.xml", "<manifest><file-entry><manifest:encryption-data/></file-entry></manifest>"});
  EXPECT_EQ(testing::read_failure(*make_odf_reader(), zip_of(members)).kind, ReadFailure::Kind::encrypted);
}

}  // namespace
}  // namespace parley::retrieval::documents
