#include "orchestration/sandbox/kept_output.h"

#include <gtest/gtest.h>

#include <random>

namespace parley::orchestration::sandbox {
namespace {

TEST(KeptOutput, KeepsShortOutputWhole) {
  KeptOutput output(4, 4);
  output.append("abc");
  output.append("defgh");
  EXPECT_EQ(output.text(), "abcdefgh");
  EXPECT_EQ(output.cut_bytes(), 0U);
}

TEST(KeptOutput, KeepsHeadAndTailAndSaysWhereHowManyBytesWereCut) {
  KeptOutput output(4, 3);
  output.append("0123456789");
  EXPECT_EQ(output.text(), "0123789");
  EXPECT_EQ(output.cut_at(), 4U);
  EXPECT_EQ(output.cut_bytes(), 3U);
}

TEST(KeptOutput, KeepsTheTailAlone) {
  KeptOutput output(0, 5);
  output.append("some error");
  EXPECT_EQ(output.text(), "error");
  EXPECT_EQ(output.cut_bytes(), 5U);
}

TEST(KeptOutput, KeepsNothingWhereNothingIsAllowed) {
  KeptOutput output(0, 0);
  output.append("abc");
  EXPECT_EQ(output.text(), "");
  EXPECT_EQ(output.cut_bytes(), 3U);
}

// Against the whole text, for all ways of cutting it into pieces.
TEST(KeptOutput, DoesNotDependOnThePieces) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t max_head = random() % 20;
    const std::size_t max_tail = random() % 20;
    std::string whole;
    KeptOutput output(max_head, max_tail);
    const int num_pieces = static_cast<int>(random() % 12);
    for (int piece = 0; piece < num_pieces; ++piece) {
      std::string bytes(random() % 30, '\0');
      for (char& byte : bytes) byte = static_cast<char>('a' + random() % 26);
      whole += bytes;
      output.append(bytes);
    }
    std::string expected = whole;
    if (whole.size() > max_head + max_tail) {
      ASSERT_EQ(output.cut_bytes(), whole.size() - max_head - max_tail);
      ASSERT_EQ(output.cut_at(), max_head);
      expected = whole.substr(0, max_head) + whole.substr(whole.size() - max_tail);
    }
    ASSERT_EQ(output.text(), expected) << max_head << " and " << max_tail << " of " << whole;
  }
}

}  // namespace
}  // namespace parley::orchestration::sandbox
