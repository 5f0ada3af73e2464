#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "retrieval/scan/folder_watch.h"
#include "tests/retrieval/scan/sample_tree.h"
#include "tests/retrieval/scan/watch_recorder.h"

namespace parley::retrieval::scan {
namespace {

class FolderWatchMoves : public ::testing::Test {
 protected:
  void watch() { watch_ = watch_folder(tree_.root(), {}, recorder_.events(), WatchRecorder::options()); }
  // The move first, then both of its ends.
  void expect_moved(const std::string& from, const std::string& to) {
    EXPECT_TRUE(recorder_.will_tell(from));
    EXPECT_TRUE(recorder_.will_tell(to));
    const std::vector<std::string> told = recorder_.told();
    const auto place = [&told](const std::string& what) { return std::find(told.begin(), told.end(), what); };
    EXPECT_NE(place(from + " -> " + to), told.end());
    EXPECT_LT(place(from + " -> " + to), place(from));
    EXPECT_LT(place(from + " -> " + to), place(to));
  }
  bool is_any_move_told() const {
    const std::vector<std::string> told = recorder_.told();
    return std::any_of(told.begin(), told.end(),
                       [](const std::string& what) { return what.find(" -> ") != std::string::npos; });
  }

  SampleTree tree_;
  WatchRecorder recorder_;
  std::unique_ptr<FolderWatch> watch_;
};

TEST_F(FolderWatchMoves, AreToldOfFiles) {
  tree_.add_all({"a/x.md", "b/"});
  watch();
  tree_.move("a/x.md", "b/y.md");
  expect_moved("a/x.md", "b/y.md");
}

TEST_F(FolderWatchMoves, AreToldOfFoldersWhichStayWatchedUnderTheirNewName) {
  tree_.add_all({"old/deep/x.md", "b/"});
  watch();
  tree_.move("old", "b/new");
  expect_moved("old", "b/new");
  recorder_.forget();
  tree_.add("b/new/deep/y.md");
  EXPECT_TRUE(recorder_.will_tell("b/new/deep/y.md"));
  EXPECT_FALSE(recorder_.is_told("old/deep/y.md"));
}

TEST_F(FolderWatchMoves, OfTwoFoldersThatChangePlacesAreFollowed) {
  tree_.add_all({"a/in_a.md", "b/in_b.md"});
  watch();
  tree_.move("a", "c");
  tree_.move("b", "a");
  tree_.move("c", "b");
  EXPECT_TRUE(recorder_.will_tell("c -> b"));
  EXPECT_TRUE(recorder_.will_tell("a"));
  EXPECT_TRUE(recorder_.will_tell("b"));
  recorder_.forget();
  tree_.add("a/in_b.md", "changed");
  tree_.add("b/in_a.md", "changed");
  EXPECT_TRUE(recorder_.will_tell("a/in_b.md"));
  EXPECT_TRUE(recorder_.will_tell("b/in_a.md"));
}

TEST_F(FolderWatchMoves, OutOfTheRootAreDeletions) {
  tree_.add_all({"a.md", "folder/b.md"});
  watch();
  std::filesystem::rename(tree_.at("a.md"), tree_.outside() / "a.md");
  std::filesystem::rename(tree_.at("folder"), tree_.outside() / "folder");
  EXPECT_TRUE(recorder_.will_tell("a.md"));
  EXPECT_TRUE(recorder_.will_tell("folder"));
  recorder_.forget();
  tree_.add("../folder/c.md");
  tree_.add("marker.md");
  EXPECT_TRUE(recorder_.will_tell("marker.md"));
  EXPECT_EQ(recorder_.told(), std::vector<std::string>{"marker.md"});
}

TEST_F(FolderWatchMoves, IntoTheRootAreNewFilesAndFolders) {
  tree_.add_all({"../a.md", "../folder/b.md"});
  watch();
  std::filesystem::rename(tree_.outside() / "a.md", tree_.at("a.md"));
  std::filesystem::rename(tree_.outside() / "folder", tree_.at("folder"));
  EXPECT_TRUE(recorder_.will_tell("a.md"));
  EXPECT_TRUE(recorder_.will_tell("folder"));
  tree_.add("folder/c.md");
  EXPECT_TRUE(recorder_.will_tell("folder/c.md"));
  EXPECT_FALSE(is_any_move_told());
}

TEST_F(FolderWatchMoves, FromAnUnwantedNameAreChangesOfTheOther) {
  tree_.add("a.md");
  watch();
  tree_.add(".a.md.saving", "new text");  // as editors save
  tree_.move(".a.md.saving", "a.md");
  EXPECT_TRUE(recorder_.will_tell("a.md"));
  EXPECT_FALSE(is_any_move_told());
}

TEST_F(FolderWatchMoves, ToAnUnwantedNameAreDeletions) {
  tree_.add_all({"a.md", "docs/b.md"});
  watch();
  tree_.move("a.md", ".a.md");
  tree_.move("docs", "node_modules");
  EXPECT_TRUE(recorder_.will_tell("a.md"));
  EXPECT_TRUE(recorder_.will_tell("docs"));
  EXPECT_FALSE(is_any_move_told());
  recorder_.forget();
  tree_.add("node_modules/c.md");
  tree_.add("marker.md");
  EXPECT_TRUE(recorder_.will_tell("marker.md"));
  EXPECT_EQ(recorder_.told(), std::vector<std::string>{"marker.md"});
}

}  // namespace
}  // namespace parley::retrieval::scan
