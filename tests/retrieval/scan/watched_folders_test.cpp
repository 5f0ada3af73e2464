#include "retrieval/scan/watched_folders.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "tests/retrieval/scan/sample_tree.h"

namespace parley::retrieval::scan {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// The path under which the folder is known in which a file of that name was made.
std::optional<std::string> folder_told(const WatchedFolders& folders, const std::string& name) {
  std::optional<std::string> path;
  for (const FolderEvent& event : folders.inotify().read()) {
    const WatchedFolder* const folder = folders.find(event.watch);
    if (event.name == name && folder != nullptr) {
      path = folder->path;
    }
  }
  return path;
}

TEST(WatchedFolders, KnowWhereAnEventHappened) {
  const SampleTree tree;
  tree.add("a/b/");
  WatchedFolders folders(tree.root(), {}, kNoLimit);
  folders.watch_all({});
  tree.add("a/b/new.md");
  EXPECT_EQ(folder_told(folders, "new.md"), "a/b");
}

TEST(WatchedFolders, KeepAMovedOneThatWasMetUnderItsNewNameFirst) {
  const SampleTree tree;
  tree.add("old/");
  WatchedFolders folders(tree.root(), {}, kNoLimit);
  folders.watch_all({});
  tree.move("old", "new");
  EXPECT_TRUE(folders.watch_below("new", {}));
  folders.forget_below("old");  // as the event of the move says later
  tree.add("new/in.md");
  EXPECT_EQ(folder_told(folders, "in.md"), "new");
}

TEST(WatchedFolders, ForgetAFolderAndWhatIsBelowItOnly) {
  const SampleTree tree;
  tree.add_all({"a/b/", "a-b/"});
  WatchedFolders folders(tree.root(), {}, kNoLimit);
  folders.watch_all({});
  folders.forget_below("a");
  tree.add_all({"a/one.md", "a/b/two.md", "a-b/three.md"});
  EXPECT_EQ(folder_told(folders, "three.md"), "a-b");
  EXPECT_FALSE(folders.watch_below("gone", {}));
  tree.add_all({"a/one.md", "a/b/two.md"});
  EXPECT_EQ(folder_told(folders, "two.md"), std::nullopt);
}

}  // namespace
}  // namespace parley::retrieval::scan
