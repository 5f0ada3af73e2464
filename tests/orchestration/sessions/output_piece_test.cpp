#include "orchestration/sessions/output_piece.h"

#include <gtest/gtest.h>

namespace parley::orchestration::sessions {
namespace {

// As a store cuts it, `size` bytes from `offset`.
OutputPiece cut(const std::string& whole, std::size_t offset, std::size_t size) {
  OutputPiece piece;
  piece.offset = offset;
  if (offset < whole.size()) piece.text = whole.substr(offset, size);
  piece.bytes = whole.size();
  keep_whole_characters(piece);
  return piece;
}

const std::string kText =
    "a\xC3\xA4\xE6\xBC\xA2\xF0\x9F\x98\x80z";  // characters of 1, 2, 3, 4 and 1 bytes, from 0, 1, 3, 6, 10

TEST(OutputPiece, BothEndsStandBetweenCharacters) {
  EXPECT_EQ(cut(kText, 0, 2).text, "a");
  EXPECT_EQ(cut(kText, 0, 3).text, "a\xC3\xA4");
  EXPECT_EQ(cut(kText, 2, 4).offset, 3u);
  EXPECT_EQ(cut(kText, 2, 4).text, "\xE6\xBC\xA2");
  EXPECT_EQ(cut(kText, 7, 100).offset, 10u);
  EXPECT_EQ(cut(kText, 7, 100).text, "z");
  for (const std::size_t size : {6u, 7u, 8u, 9u})
    EXPECT_EQ(cut(kText, 0, size).text, kText.substr(0, 6)) << size;
  EXPECT_EQ(cut(kText, 0, 10).text, kText.substr(0, 10));
}

TEST(OutputPiece, BeyondTheEndIsNothing) {
  EXPECT_EQ(cut(kText, 11, 5).text, "");
  EXPECT_EQ(cut(kText, 11, 5).offset, 11u);
  EXPECT_EQ(cut(kText, 5000, 5).text, "");
  EXPECT_EQ(cut("", 0, 5).bytes, 0u);
}

TEST(OutputPiece, PiecesMakeUpTheWholeWhateverTheirSize) {
  std::string whole;
  for (int i = 0; i < 50; ++i) whole += kText;
  for (std::size_t size = kMinPieceBytes; size < 40; ++size) {
    std::string read;
    while (read.size() < whole.size()) {
      const OutputPiece piece = cut(whole, read.size(), size);
      ASSERT_EQ(piece.offset, read.size());
      ASSERT_FALSE(piece.text.empty());
      read += piece.text;
    }
    EXPECT_EQ(read, whole) << size;
  }
}

// A file that another program wrote: reading goes on all the same.
TEST(OutputPiece, BytesThatAreNoTextDoNotHoldUp) {
  const std::string broken(100, '\x80');
  const OutputPiece piece = cut(broken, 10, 16);
  EXPECT_EQ(piece.offset, 13u);
  EXPECT_EQ(piece.text.size(), 13u);
  EXPECT_EQ(cut(std::string(100, '\xF0'), 10, 16).text.size(), 15u);
}

}  // namespace
}  // namespace parley::orchestration::sessions
