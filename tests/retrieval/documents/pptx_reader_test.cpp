#include <gtest/gtest.h>

#include "retrieval/documents/office_readers.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::Lines;
using testing::pptx_paragraph;
using testing::pptx_shape;
using testing::pptx_slide_xml;
using testing::pptx_with;
using testing::zip_of;

const std::string kPicture = "<p:pic><p:nvPicPr/></p:pic>";

TEST(PptxReader, ReadsTitleThenBulletsByLevel) {
  const Document document = testing::read_document(*make_pptx_reader(), zip_of(testing::pptx_members()));
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"heading 1: Weather", "item 1: Rain", "item 2: Drizzle"}));
  EXPECT_EQ(document.num_pages, 1);
  const Box& box = document.blocks.front().box;
  EXPECT_FLOAT_EQ(box.left, 10);
  EXPECT_FLOAT_EQ(box.top, 20);
  EXPECT_FLOAT_EQ(box.right, 110);
  EXPECT_FLOAT_EQ(box.bottom, 70);
}

TEST(PptxReader, ReadsSlidesInTheirOrderWithTablesGroupsAndNotes) {
  const std::string table =
      "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow=\"1\"/><a:tr><a:tc><a:txBody>" +
      pptx_paragraph("Day") + "</a:txBody></a:tc><a:tc><a:txBody>" + pptx_paragraph("mm") +
      "</a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody>" + pptx_paragraph("1") +
      "</a:txBody></a:tc><a:tc><a:txBody>" + pptx_paragraph("7") +
      "</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
  const std::string first =
      pptx_slide_xml(table + "<p:grpSp>" + pptx_shape("", pptx_paragraph("Grouped")) + "</p:grpSp>" +
                     pptx_shape("<p:ph type=\"sldNum\"/>", pptx_paragraph("1")));
  const std::string notes = "<p:notes><p:cSld><p:spTree>" +
                            pptx_shape("<p:ph type=\"body\"/>", pptx_paragraph("Say hello")) +
                            "</p:spTree></p:cSld></p:notes>";
  const Document document = testing::read_document(
      *make_pptx_reader(),
      zip_of(pptx_with(
          {first, pptx_slide_xml(pptx_shape("", pptx_paragraph("Second"))), pptx_slide_xml(kPicture)},
          {testing::relationships_of("ppt/slides/_rels/slide1.xml.rels",
                                     {"notesSlide", "../notesSlides/n1.xml"}),
           {"ppt/notesSlides/n1.xml", notes}})));
  EXPECT_EQ(testing::shown_blocks(document), (Lines{"columns: Day | mm", "row: 1 | 7", "paragraph: Grouped",
                                                    "paragraph: Say hello", "paragraph: Second"}));
  EXPECT_EQ(document.blocks.back().page, 2);
  EXPECT_EQ(document.num_pages, 3);
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0].page, 3);
  EXPECT_EQ(document.notes[0].reason, "slide 3 is a picture: it needs OCR");
}

TEST(PptxReader, SaysWhenAllSlidesArePictures) {
  EXPECT_EQ(testing::read_failure(*make_pptx_reader(), zip_of(pptx_with({pptx_slide_xml(kPicture)}))).kind,
            ReadFailure::Kind::needs_ocr);
  EXPECT_EQ(testing::read_failure(*make_pptx_reader(), zip_of(pptx_with({pptx_slide_xml("")}))).kind,
            ReadFailure::Kind::empty);
}

TEST(PptxReader, KeepsToTheLimitOfPages) {
  ReadLimits limits;
  limits.max_pages = 1;
  const std::string slide = pptx_slide_xml(pptx_shape("", pptx_paragraph("x")));
  EXPECT_EQ(testing::read_failure(*make_pptx_reader(), zip_of(pptx_with({slide, slide})), limits).kind,
            ReadFailure::Kind::over_limit);
}

}  // namespace
}  // namespace parley::retrieval::documents
