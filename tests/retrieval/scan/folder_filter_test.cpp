#include "retrieval/scan/folder_filter.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace parley::retrieval::scan {
namespace {

using FilterPointer = std::shared_ptr<const FolderFilter>;

FilterPointer filter_of(const FolderRules& rules, std::string_view git = "", std::string_view own = "") {
  return FolderFilter::inside(std::make_shared<const FolderFilter>(rules), "", git, own);
}

std::string refusal(const FilterPointer& filter, std::string_view path, PathKind kind = PathKind::file) {
  return filter->refusal({.path = path, .kind = kind}).value_or("");
}

TEST(FolderFilter, WantsDocumentsAndLeavesOutTheRest) {
  const FilterPointer filter = filter_of({});
  EXPECT_EQ(refusal(filter, "a/letter.docx"), "");
  EXPECT_EQ(refusal(filter, "docs", PathKind::folder), "");
  EXPECT_EQ(refusal(filter, ".git", PathKind::folder), "version control");
  EXPECT_EQ(refusal(filter, "a/.hidden"), "hidden");
  EXPECT_EQ(refusal(filter, "a/photo.jpg"), "left out by default: a picture");
  EXPECT_EQ(refusal(filter, "node_modules", PathKind::folder), "left out by default: dependencies");
}

TEST(FolderFilter, WantsHiddenFilesWhenTold) {
  const FilterPointer filter = filter_of({.hidden = true});
  EXPECT_EQ(refusal(filter, ".notes"), "");
  EXPECT_EQ(refusal(filter, ".git", PathKind::folder), "version control");
}

TEST(FolderFilter, NamesTheIgnoreFileThatDecided) {
  const FilterPointer root = filter_of({}, "*.log\n", "drafts/\n");
  const FilterPointer docs = FolderFilter::inside(root, "docs", "!keep.log\nold.md\n", "");
  EXPECT_EQ(refusal(root, "a.log"), "ignored by .gitignore");
  EXPECT_EQ(refusal(root, "drafts", PathKind::folder), "ignored by .parleyignore");
  EXPECT_EQ(refusal(docs, "docs/old.md"), "ignored by docs/.gitignore");
  EXPECT_EQ(refusal(docs, "docs/a.log"), "ignored by .gitignore");
  EXPECT_EQ(refusal(docs, "docs/keep.log"), "");
}

TEST(FolderFilter, LetsTheOwnIgnoreFileOverruleGitsAndTheDefaults) {
  const FilterPointer filter = filter_of({}, "notes/\nsecret\n", "!notes/\n!.config/\n!*.png\n!.git\n");
  EXPECT_EQ(refusal(filter, "notes", PathKind::folder), "");
  EXPECT_EQ(refusal(filter, ".config", PathKind::folder), "");
  EXPECT_EQ(refusal(filter, "plan.png"), "");
  EXPECT_EQ(refusal(filter, ".git", PathKind::folder), "version control");
  EXPECT_EQ(refusal(filter, "secret"), "ignored by .gitignore");
}

TEST(FolderFilter, BringsNothingBackByALineThatKeepsEverything) {
  const FilterPointer filter = filter_of({}, "", "*\n!*/\n!*.md\n");
  EXPECT_EQ(refusal(filter, "node_modules", PathKind::folder), "left out by default: dependencies");
  EXPECT_EQ(refusal(filter, ".cache", PathKind::folder), "left out by default: made by a build or a tool");
  EXPECT_EQ(refusal(filter, "docs", PathKind::folder), "");
  EXPECT_EQ(refusal(filter, "docs/a.md"), "");
  EXPECT_EQ(refusal(filter, "docs/a.txt"), "ignored by .parleyignore");
}

TEST(FolderFilter, HoldsToWhatTheCollectionIncludesAndExcludes) {
  const FilterPointer filter =
      filter_of({.include = {"*.md", "/manual/", "src/**/*.txt"}, .exclude = {"*draft*", "manual/old/"}});
  EXPECT_EQ(refusal(filter, "deep/in/a.md"), "");
  EXPECT_EQ(refusal(filter, "manual/any.html"), "");
  EXPECT_EQ(refusal(filter, "manual/deep/any.html"), "");
  EXPECT_EQ(refusal(filter, "src/a/b/c.txt"), "");
  EXPECT_EQ(refusal(filter, "c.txt"), "not among what the collection includes");
  EXPECT_EQ(refusal(filter, "other/manual/c.txt"), "not among what the collection includes");
  EXPECT_EQ(refusal(filter, "other", PathKind::folder), "");
  EXPECT_EQ(refusal(filter, "a draft.md"), "excluded by the collection's settings");
  EXPECT_EQ(refusal(filter, "manual/old", PathKind::folder), "excluded by the collection's settings");
}

TEST(FolderFilter, IsTheOuterOneWhereAFolderHasNoRules) {
  const FilterPointer outer = filter_of({}, "x\n");
  EXPECT_EQ(FolderFilter::inside(outer, "a", "# nothing\n", ""), outer);
}

}  // namespace
}  // namespace parley::retrieval::scan
