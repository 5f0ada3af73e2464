// Where watching ends: too many events, too few watches, a root that goes.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "retrieval/scan/folder_watch.h"
#include "tests/retrieval/scan/sample_tree.h"
#include "tests/retrieval/scan/watch_recorder.h"

namespace parley::retrieval::scan {
namespace {

class FolderWatchLimits : public ::testing::Test {
 protected:
  void watch(const WatchOptions& options = WatchRecorder::options()) {
    watch_ = watch_folder(tree_.root(), {}, recorder_.events(), options);
  }
  bool will_say_that_the_root_is_gone() {
    return WatchRecorder::eventually([this] { return recorder_.is_root_gone(); });
  }

  SampleTree tree_;
  WatchRecorder recorder_;
  std::unique_ptr<FolderWatch> watch_;
};

// Until the system's queue is full: each makes two events that are not alike.
void flood(const SampleTree& tree) {
  std::size_t queue = 16'384;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> queue;
  const std::string a = tree.at("flood/a.md").string();
  const std::string b = tree.at("flood/b.md").string();
  for (std::size_t round = 0; round < queue; ++round) {
    ::chmod(a.c_str(), 0600);
    ::chmod(b.c_str(), 0600);
  }
}

TEST_F(FolderWatchLimits, SaysThatEventsWereLostAndWatchesOn) {
  tree_.add_all({"flood/a.md", "flood/b.md", "other/"});
  watch();
  recorder_.hold();
  tree_.add("first.md");
  ASSERT_TRUE(WatchRecorder::eventually([this] { return recorder_.is_waiting(); }));
  flood(tree_);
  tree_.move("other", "moved");  // unseen
  tree_.add("unseen/in.md");
  recorder_.release();
  ASSERT_TRUE(WatchRecorder::eventually([this] { return recorder_.num_lost() > 0; }));
  recorder_.forget();
  tree_.add("moved/new.md");
  tree_.add("unseen/new.md");
  EXPECT_TRUE(recorder_.will_tell("moved/new.md"));
  EXPECT_TRUE(recorder_.will_tell("unseen/new.md"));
  EXPECT_EQ(watch_->limitation(), "");
}

TEST_F(FolderWatchLimits, SaysWhenNoWatchesAreLeft) {
  tree_.add_all({"a/x.md", "b/y.md", "c/z.md"});
  WatchOptions options = WatchRecorder::options();
  options.max_watches = 2;
  watch(options);
  EXPECT_EQ(
      watch_->limitation(),
      "No watches are left for 2 folders, so the collection is looked through at intervals instead. Raise "
      "fs.inotify.max_user_watches to change that.");
  tree_.add("top.md");
  tree_.add("a/new.md");
  EXPECT_TRUE(recorder_.will_tell("top.md"));
  EXPECT_TRUE(recorder_.will_tell("a/new.md"));
  tree_.remove("b");
  tree_.remove("c");
  EXPECT_TRUE(WatchRecorder::eventually([this] { return watch_->limitation().empty(); }));
}

TEST_F(FolderWatchLimits, SaysThatTheRootWasDeleted) {
  tree_.add("a/b.md");
  watch();
  std::filesystem::remove_all(tree_.root());
  EXPECT_TRUE(will_say_that_the_root_is_gone());
}

TEST_F(FolderWatchLimits, SaysThatTheRootWasMoved) {
  watch();
  std::filesystem::rename(tree_.root(), tree_.outside() / "elsewhere");
  EXPECT_TRUE(will_say_that_the_root_is_gone());
}

TEST_F(FolderWatchLimits, FindsOutThatAFolderAboveTheRootWasMoved) {
  tree_.add("inner/root/a.md");
  watch_ = watch_folder(tree_.at("inner/root"), {}, recorder_.events(), WatchRecorder::options());
  tree_.move("inner", "moved");
  EXPECT_TRUE(will_say_that_the_root_is_gone());
}

TEST_F(FolderWatchLimits, WatchesARootThatIsALink) {
  tree_.add("a/b.md");
  std::filesystem::create_directory_symlink(tree_.root(), tree_.outside() / "link");
  watch_ = watch_folder(tree_.outside() / "link", {}, recorder_.events(), WatchRecorder::options());
  tree_.add("a/c.md");
  EXPECT_TRUE(recorder_.will_tell("a/c.md"));
  std::filesystem::remove(tree_.outside() / "link");
  EXPECT_TRUE(will_say_that_the_root_is_gone());
}

TEST_F(FolderWatchLimits, WatchesNoFolderThroughALink) {
  tree_.add_all({"../secret/a.md", "b.md"});
  std::filesystem::create_directory_symlink(tree_.outside() / "secret", tree_.at("link"));
  watch();
  tree_.add("../secret/new.md");
  tree_.add("marker.md");
  EXPECT_TRUE(recorder_.will_tell("marker.md"));
  EXPECT_EQ(recorder_.told(), std::vector<std::string>{"marker.md"});
}

TEST_F(FolderWatchLimits, SurvivesFoldersThatComeAndGoAllTheTime) {
  watch();
  for (int round = 0; round < 200; ++round) {
    tree_.add("x/y/z/a.md");
    tree_.move("x", "w");
    tree_.remove("w");
  }
  tree_.add("x/y/last.md");
  EXPECT_TRUE(
      WatchRecorder::eventually([this] { return recorder_.is_told("x") || recorder_.is_told("x/y"); }));
  recorder_.forget();
  tree_.add("x/y/later.md");
  EXPECT_TRUE(WatchRecorder::eventually([this] {
    return recorder_.is_told("x/y/later.md") || recorder_.is_told("x/y") || recorder_.is_told("x");
  }));
}

}  // namespace
}  // namespace parley::retrieval::scan
