#include "orchestration/tools/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::tools {
namespace {

TEST(Glob, MatchesTheWholeName) {
  EXPECT_TRUE(glob_matches("read_*", "read_file"));
  EXPECT_TRUE(glob_matches("read_*", "read_"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("a?c*e", "abcdde"));
  EXPECT_TRUE(glob_matches("*_file*_x", "my_file_file_x"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("read_*", "xread_file"));
  EXPECT_FALSE(glob_matches("read", "read_file"));
  EXPECT_FALSE(glob_matches("Read_*", "read_file"));
  EXPECT_FALSE(glob_matches("a?", "a"));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("*a", "ab"));
}

TEST(Glob, OtherCharactersStandForThemselves) {
  EXPECT_FALSE(glob_matches("[ab]", "a"));
  EXPECT_TRUE(glob_matches("a.b", "a.b"));
  EXPECT_FALSE(glob_matches("a.b", "axb"));
}

TEST(Glob, HostilePatternsEnd) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(5000, 'a')));
}

TEST(Glob, ALongerPatternSaysMoreAndANameSaysMost) {
  EXPECT_LT(glob_specificity("*"), glob_specificity("a*"));
  EXPECT_LT(glob_specificity("a*"), glob_specificity("?ab*"));
  EXPECT_LT(glob_specificity("abcdefghijklmnop*"), glob_specificity("a"));
}

}  // namespace
}  // namespace parley::orchestration::tools
