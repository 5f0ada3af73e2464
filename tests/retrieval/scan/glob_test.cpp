#include "retrieval/scan/glob.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "retrieval/scan/ignore_rules.h"

namespace parley::retrieval::scan {
namespace {

void expect_matches(const std::string& glob, const std::string& path) {
  EXPECT_TRUE(matches_glob(glob, path)) << glob << " should match " << path;
}

void expect_differs(const std::string& glob, const std::string& path) {
  EXPECT_FALSE(matches_glob(glob, path)) << glob << " should not match " << path;
}

TEST(Glob, MatchesNamesByStarsAndQuestionMarks) {
  expect_matches("foo", "foo");
  expect_differs("foo", "food");
  expect_matches("*.md", "read.me.md");
  expect_matches("*", "");
  expect_matches("f*o*", "foxtrot");
  expect_differs("f*o", "fox");
  expect_matches("a?c", "abc");
  expect_differs("a?c", "ac");
  expect_matches("*ab", "aab");
}

TEST(Glob, KeepsStarsWithinAName) {
  expect_differs("*", "a/b");
  expect_differs("a*c", "a/c");
  expect_differs("a?c", "a/c");
  expect_differs("a[!x]c", "a/c");
  expect_matches("a/*/c", "a/b/c");
  expect_differs("a/*/c", "a/b/b/c");
  expect_matches("*/x*/y", "b/xx/y");
}

TEST(Glob, LetsTwoStarsGoOverFolders) {
  expect_matches("**/foo", "foo");
  expect_matches("**/foo", "a/b/foo");
  expect_differs("**/foo", "a/b/xfoo");
  expect_matches("a/**/b", "a/b");
  expect_matches("a/**/b", "a/x/y/b");
  expect_matches("a/**/b/**/c", "a/b/x/b/c");
  expect_differs("a/**/b", "ax/b");
  expect_matches("a/**", "a/b/c");
  expect_differs("a/**", "a");
  expect_matches("**", "a/b");
  expect_matches("**/a*/b*c", "x/ab/y/ax/bbc");
}

TEST(Glob, TakesTwoStarsInsideANameForOne) {
  expect_matches("a**c", "abc");
  expect_differs("foo**/bar", "foo/x/bar");
  expect_matches("foo**/bar", "food/bar");
}

TEST(Glob, MatchesSetsOfBytes) {
  expect_matches("[a-c]x", "bx");
  expect_differs("[a-c]x", "dx");
  expect_matches("[!a-c]x", "dx");
  expect_matches("[^a-c]x", "dx");
  expect_matches("[]x]", "]");
  expect_matches("[!]x]", "a");
  expect_matches("[a-]", "-");
  expect_matches("[\\]]", "]");
  expect_matches("[[:digit:][:upper:]]", "7");
  expect_matches("[[:digit:][:upper:]]", "Q");
  expect_differs("[[:digit:][:upper:]]", "q");
  expect_matches("[\x80-\xFF]", "\xC3");
}

TEST(Glob, TakesWhatIsEscapedByItself) {
  expect_matches("\\*", "*");
  expect_differs("\\*", "x");
  expect_matches("a\\/b", "a/b");
  expect_matches("\\[x]", "[x]");
}

TEST(Glob, MatchesNothingWhenItIsBroken) {
  expect_differs("[a", "a");
  expect_differs("[a", "[a");
  expect_differs("a\\", "a\\");
  expect_differs("a\\", "a");
  expect_differs("[[:nonsense:]]", "n");
  expect_differs("[", "[");
  expect_differs("[!", "[!");
}

TEST(Glob, KnowsWhetherItNamesAnything) {
  EXPECT_TRUE(Glob("build").has_literal());
  EXPECT_TRUE(Glob("*.md").has_literal());
  EXPECT_FALSE(Glob("*").has_literal());
  EXPECT_FALSE(Glob("**/*.*").has_literal());
}

TEST(Glob, EndsSoonWhateverThePattern) {
  std::string pattern;
  for (int star = 0; star < 60; ++star) {
    pattern += "**/a*a*";
  }
  std::string path;
  for (int folder = 0; folder < 60; ++folder) {
    path += "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/";
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(matches_glob(pattern + "b", path + "c"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace parley::retrieval::scan
