#include <gtest/gtest.h>

#include <string>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

TEST(JsonReaderTest, LinesThatAreThereStay) {
  const std::string text = "{\n  \"a\": 1,\n  \"b\": [2, 3]\n}\n";
  const Document document = read_document(text, "a.json");
  EXPECT_EQ(document.text, text);
  EXPECT_EQ(document.blocks.size(), 1U);
}

TEST(JsonReaderTest, LongTextIsCutIntoStretchesAtLines) {
  std::string text = "[\n";
  for (int i = 0; i < 500; ++i) text += "  \"value number " + std::to_string(i) + "\",\n";
  const Document document = read_document(text + "  0\n]\n", "a.json");
  EXPECT_GT(document.blocks.size(), 10U);
  for (const Block& block : document.blocks) EXPECT_LT(block.range.end - block.range.begin, 1000U);
}

TEST(JsonReaderTest, OneLongLineIsWrittenAnew) {
  std::string text = "{\"empty\":{},\"list\":[1,[],\"a\\\"}b\"],\"long\":\"" + std::string(3000, 'x') + "\"}";
  const Document document = read_document(text, "a.json");
  EXPECT_EQ(document.text,
            "{\n  \"empty\": {},\n  \"list\": [\n    1,\n    [],\n    \"a\\\"}b\"\n  ],\n  \"long\": \"" +
                std::string(3000, 'x') + "\"\n}");
  EXPECT_EQ(document.blocks.back().original.end, text.size());
}

TEST(JsonReaderTest, EscapedLettersAreShown) {
  EXPECT_EQ(
      read_document("{\"a\": \"caf\\u00e9 \\ud83d\\ude00 \\u0022 \\n \\ud83d \\\\u00e9\"}", "a.json").text,
      "{\"a\": \"café \U0001F600 \\u0022 \\n \\ud83d \\\\u00e9\"}");
}

TEST(JsonReaderTest, BracketsWithoutEndAreNoTrouble) {
  const Document document = read_document(std::string(100'000, '['), "a.json");
  EXPECT_LT(document.text.size(), 5'000'000U);
}

TEST(JsonReaderTest, EachLineOfJsonLinesIsAValue) {
  EXPECT_EQ(described(read_document("{\"a\": 1}\n{\"b\": 2}\n\n3\n", "a.jsonl")),
            (Lines{"code {\"a\": 1}", "code {\"b\": 2}", "code 3"}));
}

}  // namespace

}  // namespace parley::retrieval::documents
