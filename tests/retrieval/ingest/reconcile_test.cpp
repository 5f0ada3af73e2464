#include "retrieval/ingest/reconcile.h"

#include <gtest/gtest.h>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::ingest {
namespace {

scan::FileStamp stamp(std::uint64_t inode, std::int64_t mtime = 1) { return {1, inode, 10, mtime, mtime}; }

scan::FoundFile found(const std::string& path, std::uint64_t inode, std::int64_t mtime = 1) {
  return {path, stamp(inode, mtime)};
}

index::FileRecord known(index::FileId id, const std::string& path, std::uint64_t inode) {
  index::FileRecord file;
  file.id = id;
  file.path = path;
  file.stamp = stamp(inode);
  file.state = index::FileState::ready;
  file.reader_version = documents::kReaderVersion;
  return file;
}

std::vector<std::string> paths_to_read(const Reconciliation& result) {
  std::vector<std::string> paths;
  for (const auto& file : result.to_read) paths.push_back(file.path);
  return paths;
}

using Paths = std::vector<std::string>;
using Ids = std::vector<index::FileId>;

TEST(Reconcile, AFolderThatIsAsItWasNeedsNothing) {
  const auto result = reconcile({found("b", 2), found("a", 1)}, {known(1, "a", 1), known(2, "b", 2)});
  EXPECT_TRUE(result.to_read.empty());
  EXPECT_TRUE(result.renames.empty());
  EXPECT_TRUE(result.to_remove.empty());
}

TEST(Reconcile, NewAndChangedFilesAreRead) {
  const auto result = reconcile({found("a", 1, 2), found("c", 3)}, {known(1, "a", 1)});
  EXPECT_EQ(paths_to_read(result), (Paths{"a", "c"}));
  EXPECT_TRUE(result.to_remove.empty());
}

TEST(Reconcile, WhatIsGoneIsRemoved) {
  const auto result = reconcile({found("b", 2)}, {known(1, "a", 1), known(2, "b", 2), known(3, "c", 3)});
  EXPECT_EQ(result.to_remove, (Ids{1, 3}));
  EXPECT_TRUE(result.to_read.empty());
}

TEST(Reconcile, AMovedFileKeepsWhatWasReadOfIt) {
  scan::FoundFile moved = found("z/new", 1);
  moved.stamp.ctime_ns = 99;  // a rename changes this one
  const auto result = reconcile({moved}, {known(7, "a/old", 1)});
  ASSERT_EQ(result.renames.size(), 1u);
  EXPECT_EQ(result.renames[0].file, 7);
  EXPECT_EQ(result.renames[0].path, "z/new");
  EXPECT_EQ(result.renames[0].stamp.ctime_ns, 99);
  EXPECT_TRUE(result.to_read.empty());
  EXPECT_TRUE(result.to_remove.empty());
}

TEST(Reconcile, AFileMovedOverAnotherIsReadAndItsOldPlaceRemoved) {
  const auto result = reconcile({found("b", 1)}, {known(1, "a", 1), known(2, "b", 2)});
  EXPECT_EQ(paths_to_read(result), Paths{"b"});
  EXPECT_EQ(result.to_remove, Ids{1});
  EXPECT_TRUE(result.renames.empty());
}

TEST(Reconcile, OfTwoNewLinksToAMovedFileOneIsARename) {
  const auto result = reconcile({found("x", 1), found("y", 1)}, {known(1, "a", 1)});
  EXPECT_EQ(result.renames.size(), 1u);
  EXPECT_EQ(result.to_read.size(), 1u);
  EXPECT_TRUE(result.to_remove.empty());
}

TEST(Reconcile, FilesOfOlderReadersAreReadAgainUnlessTheyWait) {
  auto old = known(1, "a", 1);
  old.reader_version = documents::kReaderVersion - 1;
  auto waiting = known(2, "b", 2);
  waiting.reader_version = 0;
  waiting.state = index::FileState::queued;
  const auto result = reconcile({found("a", 1), found("b", 2)}, {old, waiting});
  EXPECT_EQ(paths_to_read(result), Paths{"a"});
}

TEST(Reconcile, OrderOfPathsIsThatOfBytes) {
  const auto result = reconcile({found("a/b", 1), found("a-b", 2)}, {known(2, "a-b", 2), known(1, "a/b", 1)});
  EXPECT_TRUE(result.to_read.empty());
  EXPECT_TRUE(result.to_remove.empty());
}

TEST(Reconcile, ManyDeletionsAreTwentyAndAFifth) {
  EXPECT_FALSE(is_mass_deletion(19, 19));
  EXPECT_TRUE(is_mass_deletion(20, 99));
  EXPECT_FALSE(is_mass_deletion(20, 100));
}

}  // namespace
}  // namespace parley::retrieval::ingest
