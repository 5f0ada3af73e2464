#include <gtest/gtest.h>

#include "retrieval/documents/office_readers.h"
#include "tests/retrieval/documents/office_samples.h"
#include "tests/retrieval/documents/reading.h"

namespace parley::retrieval::documents {
namespace {

using testing::Lines;

Lines rtf_blocks(const std::string& body) {
  return testing::blocks_of(*make_rtf_reader(), "{\\rtf1\\ansi\\ansicpg1252 " + body + "}");
}

TEST(RtfReader, ReadsHeadingsCodePagesAndTables) {
  const Document document = testing::read_document(*make_rtf_reader(), testing::rtf_sample());
  EXPECT_EQ(testing::shown_blocks(document),
            (Lines{"heading 1: Post", "paragraph: Caf\u00E9 \u20AC5", "paragraph: \u041F\u043E",
                   "row: One | Two", "paragraph: tail"}));
  EXPECT_EQ(document.title, "Letters");
}

TEST(RtfReader, SkipsWhatIsNotShown) {
  EXPECT_EQ(
      rtf_blocks("{\\*\\unknown hidden {\\b too}}{\\header H}{\\footer F}{\\v secret}{\\deleted gone}seen"
                 "{\\*\\bkmkstart x}{\\field{\\*\\fldinst HYPERLINK \"u\"}{\\fldrslt link}}\\par"),
      Lines{"paragraph: seenlink"});
}

TEST(RtfReader, ReadsUnicodeWithItsReplacements) {
  EXPECT_EQ(rtf_blocks("\\uc2\\u1071 ab\\uc1\\u-10179?\\u-8704?{\\uc0\\u233}e\\u8364\\'80!\\par"),
            Lines{"paragraph: \u042F\U0001F600\u00E9e\u20AC!"});
}

TEST(RtfReader, ReadsCharactersOfManyBytes) {
  EXPECT_EQ(
      testing::blocks_of(*make_rtf_reader(),
                         "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 M;}}\\f0\\'93\\'fa\\'96\\'7b\\par}"),
      Lines{"paragraph: \u65E5\u672C"});
}

TEST(RtfReader, ReadsSymbolsListsAndNotes) {
  EXPECT_EQ(
      rtf_blocks("\\pard{\\listtext\\bullet\\tab}\\ls1\\ilvl1 deep\\par\\pard a\\~b\\_c\\-d\\emdash\\{\\\\\\}"
                 "{\\footnote\\pard below\\par}\\line next\\par\\pard end"),
      (Lines{"item 2: deep", "paragraph: a b-cd\u2014{\\}\nnext", "paragraph: below", "paragraph: end"}));
}

TEST(RtfReader, ReadsTablesWithHeadersAndTablesInside) {
  EXPECT_EQ(
      rtf_blocks(
          "\\trowd\\trhdr\\pard\\intbl A\\cell B\\par c\\cell\\row\\trowd\\pard\\intbl 1\\cell 2\\nestcell 3"
          "\\nestcell{\\*\\nesttableprops\\nestrow}\\cell\\row\\pard after\\par"),
      (Lines{"columns: A | B c", "row: 1 | 2 3", "paragraph: after"}));
}

TEST(RtfReader, SkipsBinaryPicturesByTheirLength) {
  EXPECT_EQ(rtf_blocks(std::string("{\\pict\\bin5 }}{\\\0}", 18) + "ok\\par"), Lines{"paragraph: ok"});
  EXPECT_EQ(rtf_blocks("ok\\par{\\pict\\bin999999999 x"), Lines{"paragraph: ok"});
}

TEST(RtfReader, LimitsNestingAndRefusesOtherText) {
  EXPECT_EQ(testing::read_failure(*make_rtf_reader(), "{\\rtf1" + std::string(1'000'000, '{')).kind,
            ReadFailure::Kind::over_limit);
  EXPECT_EQ(testing::read_failure(*make_rtf_reader(), "plain").kind, ReadFailure::Kind::damaged);
  EXPECT_EQ(testing::read_failure(*make_rtf_reader(), "{\\rtf1 }}}}").kind, ReadFailure::Kind::empty);
}

}  // namespace
}  // namespace parley::retrieval::documents
