// That the work grows with the text and no faster: counted in bytes handed to the counter, not in time.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "retrieval/chunking/chunker.h"
#include "tests/retrieval/chunking/document_maker.h"

namespace parley::retrieval::chunking {
namespace {

class MeteredCounter final : public TokenCounter {
 public:
  int count(std::string_view text) const override {
    bytes_ += text.size();
    longest_ = std::max(longest_, text.size());
    return SpaceCounter().count(text);
  }
  std::size_t bytes() const { return bytes_; }
  std::size_t longest() const { return longest_; }

 private:
  mutable std::size_t bytes_ = 0;  // one thread
  mutable std::size_t longest_ = 0;
};

void expect_linear(const DocumentMaker& maker) {
  const MeteredCounter counter;
  const ChunkedDocument result = chunk_document(maker.document(), counter, {});
  const std::size_t size = maker.document().text.size();
  EXPECT_LE(counter.bytes(), 7 * size + 10'000);
  EXPECT_LE(counter.longest(), 2U * 256 * kMaxBytesPerToken);
  EXPECT_GE(result.chunks.size(), size / (256 * kMaxBytesPerToken));
}

constexpr int kMegabyte = 1'000'000;

TEST(ChunkerCost, IsLinearForALineOfTenMegabytes) {
  expect_linear(DocumentMaker().paragraph(repeated("words of a line that never ends ", 10 * kMegabyte / 32)));
}

TEST(ChunkerCost, IsLinearForAWordOfTenMegabytes) {
  expect_linear(DocumentMaker().paragraph(repeated("QUJDREVG", 10 * kMegabyte / 8)));
}

TEST(ChunkerCost, IsLinearForAFenceOfTenMegabytes) {
  expect_linear(DocumentMaker().code(repeated("    return value;\n", 10 * kMegabyte / 18)));
}

TEST(ChunkerCost, IsLinearForAParagraphOfShortSentences) {
  expect_linear(DocumentMaker().paragraph(repeated("A b. ", 4 * kMegabyte / 5)));
}

TEST(ChunkerCost, IsLinearForACharacterOfAMegabyte) {
  expect_linear(DocumentMaker().paragraph("a" + repeated("\xCC\x81", kMegabyte / 2)));
}

TEST(ChunkerCost, IsLinearForThaiWithoutSpaces) {
  expect_linear(DocumentMaker().paragraph(repeated("ภาษาไทยเป็นภาษาที่มีระดับเสียง", kMegabyte / 90)));
}

TEST(ChunkerCost, IsLinearForManySmallBlocks) {
  DocumentMaker maker;
  for (int block = 0; block < 200'000; ++block) {
    maker.paragraph("A small one.");
  }
  expect_linear(maker);
}

TEST(ChunkerCost, IsLinearForLongHeaderRowsAndPaths) {
  DocumentMaker maker;
  for (int level = 1; level < 200; ++level) {
    maker.heading(level, repeated("a long heading ", 2'000));
  }
  for (int row = 0; row < 300; ++row) {
    maker.header_row(repeated("column ", 2'000));
  }
  for (int row = 0; row < 30'000; ++row) {
    maker.row("| one | two |");
  }
  expect_linear(maker);
  std::size_t path_bytes = 0;
  for (const Chunk& chunk : chunk_document(maker.document(), SpaceCounter(), {}).chunks) {
    for (const std::string& heading : chunk.heading_path) {
      path_bytes = std::max(path_bytes, heading.size());
    }
  }
  EXPECT_LE(path_bytes, 200U);
}

}  // namespace
}  // namespace parley::retrieval::chunking
