#include "retrieval/scan/ignore_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::retrieval::scan {
namespace {

using Verdict = IgnoreFile::Verdict;

Verdict judged(const std::string& text, const std::string& path, PathKind kind = PathKind::file) {
  return IgnoreFile(text, "").judge(path, kind);
}

TEST(IgnoreFile, SaysNothingOfWhatNoLineFits) {
  EXPECT_EQ(judged("", "a"), Verdict::none);
  EXPECT_EQ(judged("b\n", "a"), Verdict::none);
}

TEST(IgnoreFile, MatchesANameInEveryFolderUnlessTheLineHasASlash) {
  EXPECT_EQ(judged("foo", "a/b/foo"), Verdict::ignore);
  EXPECT_EQ(judged("/foo", "foo"), Verdict::ignore);
  EXPECT_EQ(judged("/foo", "a/foo"), Verdict::none);
  EXPECT_EQ(judged("a/foo", "a/foo"), Verdict::ignore);
  EXPECT_EQ(judged("a/foo", "b/a/foo"), Verdict::none);
}

TEST(IgnoreFile, KeepsALineWithASlashAtItsEndForFolders) {
  EXPECT_EQ(judged("foo/", "foo", PathKind::folder), Verdict::ignore);
  EXPECT_EQ(judged("foo/", "a/foo", PathKind::folder), Verdict::ignore);
  EXPECT_EQ(judged("foo/", "foo"), Verdict::none);
}

TEST(IgnoreFile, LetsTheLastLineThatFitsDecide) {
  EXPECT_EQ(judged("*.md\n!keep.md\n", "keep.md"), Verdict::keep);
  EXPECT_EQ(judged("!keep.md\n*.md\n", "keep.md"), Verdict::ignore);
}

TEST(IgnoreFile, ReadsLinesAsGitDoes) {
  EXPECT_EQ(judged("#foo\n", "#foo"), Verdict::none);
  EXPECT_EQ(judged("\\#foo\n", "#foo"), Verdict::ignore);
  EXPECT_EQ(judged("\\!foo\n", "!foo"), Verdict::ignore);
  EXPECT_EQ(judged("foo   \n", "foo"), Verdict::ignore);
  EXPECT_EQ(judged("foo\\ \n", "foo "), Verdict::ignore);
  EXPECT_EQ(judged("foo\r\nbar\r\n", "foo"), Verdict::ignore);
  EXPECT_EQ(judged("\xEF\xBB\xBF"
                   "foo\n",
                   "foo"),
            Verdict::ignore);
  EXPECT_EQ(judged("\n\n/\n//\n!\n", "foo"), Verdict::none);
  EXPECT_EQ(judged("bar\nfoo", "foo"), Verdict::ignore);
}

TEST(IgnoreFile, JudgesOnlyWhatLiesInItsFolder) {
  const IgnoreFile file("/x\ny\n", "docs/old");
  EXPECT_EQ(file.judge("docs/old/x", PathKind::file), Verdict::ignore);
  EXPECT_EQ(file.judge("docs/old/a/x", PathKind::file), Verdict::none);
  EXPECT_EQ(file.judge("docs/old/a/y", PathKind::file), Verdict::ignore);
  EXPECT_EQ(file.judge("docs/older/y", PathKind::file), Verdict::none);
  EXPECT_EQ(file.judge("y", PathKind::file), Verdict::none);
}

TEST(IgnoreFile, TellsKeepingByNameFromKeepingEverything) {
  EXPECT_TRUE(IgnoreFile("!build/\n", "").keeps_by_name("build", PathKind::folder));
  EXPECT_FALSE(IgnoreFile("!*/\n", "").keeps_by_name("build", PathKind::folder));
  EXPECT_FALSE(IgnoreFile("!build/\n*\n", "").keeps_by_name("build", PathKind::folder));
}

}  // namespace
}  // namespace parley::retrieval::scan
