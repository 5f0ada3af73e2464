#include <gtest/gtest.h>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

TEST(PlainTextReaderTest, ParagraphsHeadingsAndItems) {
  const std::string text =
      "The Title\n=========\n\nFirst line\nsecond line.\n\nA Section\n---------\nText at once.\n\n- one\n  "
      "more of it\n"
      "- two\n\n1. first\n2. second\n\nA - b\n- c\n";
  const Document document = read_document(text, "a.txt");
  EXPECT_EQ(document.text, text);
  EXPECT_EQ(document.title, "The Title");
  EXPECT_EQ(described(document),
            (Lines{"h1 The Title", "p First line/second line.", "h2 A Section", "p Text at once.",
                   "li1 - one/  more of it", "li1 - two", "li1 1. first", "li1 2. second", "p A - b/- c"}));
}

TEST(PlainTextReaderTest, WhatOnlyLooksLikeAHeadingIsNone) {
  EXPECT_EQ(described(read_document("a line\nanother\n=====\n", "a.txt")), (Lines{"p a line/another/====="}));
  EXPECT_EQ(described(read_document("-----\n=====\n", "a.txt")), (Lines{"p -----/====="}));
  EXPECT_EQ(described(read_document("A title much longer than what is below it\n---\n", "a.txt")),
            (Lines{"p A title much longer than what is below it/---"}));
}

TEST(PlainTextReaderTest, PositionsAreThoseOfTheText) {
  const Document document = read_document("one\r\n\r\ntwo\r\n", "a.txt");
  EXPECT_EQ(document.text, "one\n\ntwo\n");
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.blocks[1].range.begin, 5U);
  EXPECT_EQ(document.blocks[1].original.begin, 5U);
  EXPECT_EQ(document.blocks[1].original.end, 8U);
}

TEST(PlainTextReaderTest, SourceCodeKeepsItsStretchesAndIndentation) {
  const Document document = read_document("int a;\n\n\n  int b;\n  int c;\n\nint d;", "a.c");
  EXPECT_EQ(described(document), (Lines{"code int a;", "code   int b;/  int c;", "code int d;"}));
}

TEST(PlainTextReaderTest, ALineOfManyMegabytesIsOneBlock) {
  const std::string line(std::size_t{32} << 20, 'x');
  const Document document = read_document(line, "a.txt");
  EXPECT_EQ(document.blocks.size(), 1U);
}

TEST(PlainTextReaderTest, BlocksBeyondTheLimitGrowTheLastOne) {
  ReadLimits limits;
  limits.max_blocks = 2;
  const ReadOutcome outcome = read_bytes("a\n\nb\n\nc\n\nd\n", "a.txt", limits);
  ASSERT_TRUE(std::holds_alternative<Document>(outcome));
  EXPECT_EQ(described(std::get<Document>(outcome)), (Lines{"p a", "p b//c//d"}));
  EXPECT_EQ(broken_promise(std::get<Document>(outcome)), "");
}

}  // namespace

}  // namespace parley::retrieval::documents
