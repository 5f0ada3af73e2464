#include "retrieval/scan/folder_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "tests/retrieval/scan/sample_tree.h"
#include "tests/retrieval/scan/watch_recorder.h"

namespace parley::retrieval::scan {
namespace {

class FolderWatchTest : public ::testing::Test {
 protected:
  void watch(const FolderRules& rules = {}) {
    watch_ = watch_folder(tree_.root(), rules, recorder_.events(), WatchRecorder::options());
  }
  // What was told until a file that is made now is told.
  std::vector<std::string> told_until_now() {
    tree_.add("marker.md");
    EXPECT_TRUE(recorder_.will_tell("marker.md"));
    std::vector<std::string> told = recorder_.told();
    std::erase(told, "marker.md");
    return told;
  }

  SampleTree tree_;
  WatchRecorder recorder_;
  std::unique_ptr<FolderWatch> watch_;
};

TEST_F(FolderWatchTest, TellsOfFilesThatAreMadeChangedAndDeleted) {
  tree_.add_all({"a/old.md", "gone.md"});
  watch();
  EXPECT_EQ(watch_->limitation(), "");
  tree_.add("new.md");
  tree_.add("a/old.md", "changed");
  tree_.remove("gone.md");
  EXPECT_TRUE(recorder_.will_tell("new.md"));
  EXPECT_TRUE(recorder_.will_tell("a/old.md"));
  EXPECT_TRUE(recorder_.will_tell("gone.md"));
}

TEST_F(FolderWatchTest, TellsNothingWhenNothingChanges) {
  tree_.add("a/b.md");
  watch();
  EXPECT_EQ(told_until_now(), std::vector<std::string>{});
}

TEST_F(FolderWatchTest, TellsNothingOfWhatIsNotWanted) {
  tree_.add_all({"node_modules/x.js", "docs/b.md"});
  tree_.add("docs/.gitignore", "*.log\nprivate/\n");
  watch({.exclude = {"*.bak"}});
  for (const char* path :
       {"node_modules/y.js", "docs/a.log", "docs/private/c.md", ".hidden", "a.bak", "p.png"}) {
    tree_.add(path);
  }
  EXPECT_EQ(told_until_now(), std::vector<std::string>{});
}

TEST_F(FolderWatchTest, WatchesFoldersThatAreMadeLater) {
  watch();
  tree_.add("new/deep/er/a.md");
  EXPECT_TRUE(recorder_.will_tell("new"));
  recorder_.forget();
  tree_.add("new/deep/er/b.md");
  EXPECT_TRUE(recorder_.will_tell("new/deep/er/b.md"));
}

TEST_F(FolderWatchTest, TellsOfADeletedFolderAsAWhole) {
  tree_.add_all({"a/b/c.md", "a/d.md"});
  watch();
  tree_.remove("a");
  EXPECT_TRUE(recorder_.will_tell("a"));
  tree_.add("a/b/e.md");
  recorder_.forget();
  EXPECT_TRUE(recorder_.will_tell("a"));
  tree_.add("a/b/f.md");
  EXPECT_TRUE(recorder_.will_tell("a/b/f.md"));
}

TEST_F(FolderWatchTest, TellsOfAFileThatManyTimesChangesOnce) {
  tree_.add("a.md");
  WatchOptions options = WatchRecorder::options();
  options.quiet = std::chrono::milliseconds(2'000);
  options.longest = std::chrono::milliseconds(60'000);
  watch_ = watch_folder(tree_.root(), {}, recorder_.events(), options);
  for (int round = 0; round < 50; ++round) {
    tree_.add("a.md", std::to_string(round));
  }
  EXPECT_TRUE(recorder_.will_tell("a.md"));
  EXPECT_EQ(recorder_.told(), std::vector<std::string>{"a.md"});
}

TEST_F(FolderWatchTest, ReadsAnIgnoreFileThatChanged) {
  tree_.add_all({"docs/a.md", "docs/private/b.md"});
  watch();
  tree_.add("docs/.gitignore", "private/\n");
  EXPECT_TRUE(recorder_.will_tell("docs"));
  recorder_.forget();
  tree_.add("docs/private/c.md");
  EXPECT_EQ(told_until_now(), std::vector<std::string>{});
  tree_.remove("docs/.gitignore");
  EXPECT_TRUE(recorder_.will_tell("docs"));
  tree_.add("docs/private/d.md");
  EXPECT_TRUE(recorder_.will_tell("docs/private/d.md"));
}

TEST_F(FolderWatchTest, TellsOfRightsThatChanged) {
  tree_.add("a.md");
  watch();
  std::filesystem::permissions(tree_.at("a.md"), std::filesystem::perms::none);
  EXPECT_TRUE(recorder_.will_tell("a.md"));
}

TEST_F(FolderWatchTest, TakesPathsForBytes) {
  watch();
  const std::string path = "d\xC0\n/\xFF.md";
  tree_.add("d\xC0\n/");
  EXPECT_TRUE(recorder_.will_tell("d\xC0\n"));
  tree_.add(path);
  EXPECT_TRUE(recorder_.will_tell(path));
}

TEST_F(FolderWatchTest, TellsAllOnOneThreadThatIsNotTheCallers) {
  watch();
  tree_.add("a.md");
  EXPECT_TRUE(recorder_.will_tell("a.md"));
  tree_.move("a.md", "b.md");
  EXPECT_TRUE(recorder_.will_tell("b.md"));
  EXPECT_EQ(recorder_.threads().size(), 1U);
  EXPECT_FALSE(recorder_.threads().contains(std::this_thread::get_id()));
}

TEST_F(FolderWatchTest, EndsPromptlyAndTellsNothingAfterwards) {
  WatchOptions options;
  options.quiet = std::chrono::hours(1);
  options.longest = std::chrono::hours(2);
  tree_.add("a.md");
  watch_ = watch_folder(tree_.root(), {}, recorder_.events(), options);
  tree_.add("a.md", "changed");
  const auto begin = std::chrono::steady_clock::now();
  watch_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_EQ(recorder_.told(), std::vector<std::string>{});
}

TEST_F(FolderWatchTest, ThrowsWhenTheRootCannotBeOpened) {
  try {
    watch_folder(tree_.at("gone"), {}, {}, {});
    FAIL() << "it should have thrown";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
    EXPECT_NE(std::string(error.what()).find("gone"), std::string::npos);
  }
}

TEST_F(FolderWatchTest, NeedsNoSink) {
  const auto silent = watch_folder(tree_.root(), {}, {}, WatchRecorder::options());
  watch();
  tree_.add("a.md");
  tree_.move("a.md", "b.md");
  EXPECT_TRUE(recorder_.will_tell("b.md"));
}

}  // namespace
}  // namespace parley::retrieval::scan
