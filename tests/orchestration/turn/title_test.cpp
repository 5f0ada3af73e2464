#include "orchestration/turn/title.h"

#include <gtest/gtest.h>

#include <string>

#include "inference/tokenizer/utf8.h"

namespace parley::orchestration::turn {
namespace {

std::string repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(Title, IsTheFirstLineWithText) {
  EXPECT_EQ(title_from("\n \t\n  How  do I\tcook rice? \nThanks"), "How do I cook rice?");
  EXPECT_EQ(title_from("\r\nx\r\ny"), "x");
  EXPECT_EQ(title_from(""), "");
  EXPECT_EQ(title_from(" \n\xC2\xA0\n"), "");
  EXPECT_EQ(title_from(std::string("a\x01\x1b[31mb\0c", 10)), "a [31mb c");
}

TEST(Title, IsCutAtAWordsBorder) {
  const std::string exact(60, 'x');
  EXPECT_EQ(title_from(exact), exact);
  EXPECT_EQ(title_from(repeated("word ", 12) + "more"), repeated("word ", 11) + "word\u2026");
  EXPECT_EQ(title_from(std::string(70, 'x')), std::string(60, 'x') + "\u2026");
  // A word longer than the tail that may be lost is cut inside.
  EXPECT_EQ(title_from("ab " + std::string(80, 'x')), "ab " + std::string(57, 'x') + "\u2026");
}

TEST(Title, NeverCutsACharacter) {
  EXPECT_EQ(title_from(repeated("\u6f22", 61)), repeated("\u6f22", 60) + "\u2026");
  const std::string accent = "e\u0301";
  EXPECT_EQ(title_from("x" + repeated(accent, 40)), "x" + repeated(accent, 29) + "\u2026");
  const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467";
  EXPECT_EQ(title_from(repeated(family, 13)), repeated(family, 12) + "\u2026");
  EXPECT_TRUE(inference::tokenizer::is_valid_utf8(title_from("a" + repeated("\u0301", 5000))));
  EXPECT_LE(title_from("a" + repeated("\u0301", 5000)).size(), 400u);
  EXPECT_TRUE(inference::tokenizer::is_valid_utf8(title_from(repeated("\U0001F600", 3000))));
}

TEST(Title, IsTidiedButNotCutWhenGivenByTheUser) {
  EXPECT_EQ(tidy_title("  a \n b\t"), "a b");
  EXPECT_EQ(tidy_title(std::string(300, 'x')).size(), 300u);
  EXPECT_FALSE(has_text("\n\u3000 \xC2\x85"));
  EXPECT_TRUE(has_text("\n."));
}

}  // namespace
}  // namespace parley::orchestration::turn
