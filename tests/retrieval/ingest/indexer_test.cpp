// A folder on disk, followed into a store on disk.
#include "retrieval/ingest/indexer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "retrieval/chunking/chunker.h"
#include "tests/fakes/eventually.h"
#include "tests/fakes/file_bytes.h"
#include "tests/fakes/temp_directory.h"
#include "tests/retrieval/ingest/scripted_worker.h"

namespace parley::retrieval::ingest {
namespace {

namespace fs = std::filesystem;
using index::CollectionState;
using tests::fakes::write_file;

class IndexerTest : public testing::Test {
 protected:
  IndexerTest() {
    fs::create_directories(root());
    start();
  }

  fs::path root() const { return folder_.path() / "docs"; }
  void put(const std::string& path, const std::string& text) {
    fs::create_directories((root() / path).parent_path());
    write_file(root() / path, text);
  }

  void start(bool watch = false) {
    indexer_.reset();
    store_.reset();
    std::string report;
    fs::create_directories(folder_.path() / "data");
    store_ = index::open_document_store(folder_.path() / "data", report);
    IndexerOptions options;
    options.make_worker = [reads = num_reads_] { return std::make_unique<ScriptedWorker>(reads); };
    options.chunks.counter = counter_.get();
    options.watch = watch;
    options.private_folders = {(folder_.path() / "data").string()};
    indexer_ = make_indexer(*store_, options);
  }

  index::CollectionId add() {
    const auto collection =
        indexer_->add({.name = "docs", .root = root().string(), .include = {}, .exclude = {}});
    indexer_->wait_until_idle(collection.id, {});
    return collection.id;
  }
  void rescan(index::CollectionId collection, Deletions deletions = Deletions::ask_when_many) {
    indexer_->rescan(collection, deletions);
    indexer_->wait_until_idle(collection, {});
  }

  // Paths of the passages that a word finds.
  std::vector<std::string> find(const std::string& word) {
    std::vector<index::PassageId> ids;
    for (const auto& hit : store_->match_text({.terms = {word}, .phrases = {}}, {}, 100))
      ids.push_back(hit.id);
    std::vector<std::string> paths;
    for (const auto& passage : store_->passages(ids)) paths.push_back(passage.path);
    std::sort(paths.begin(), paths.end());
    return paths;
  }
  CollectionStatus status() { return indexer_->status().at(0); }

  tests::fakes::TempDirectory folder_;
  std::shared_ptr<std::atomic<int>> num_reads_ = std::make_shared<std::atomic<int>>(0);
  std::unique_ptr<chunking::TokenCounter> counter_ = chunking::make_word_counter();
  std::unique_ptr<index::DocumentStore> store_;
  std::unique_ptr<Indexer> indexer_;
};

using Paths = std::vector<std::string>;
constexpr std::chrono::seconds kPatience{
    60};  // a watch waits until a file is quiet; slow machines take longer

TEST_F(IndexerTest, AFolderBecomesSearchable) {
  put("a.txt", "the wren sings");
  put("deep/er/b.txt", "a wren again");
  put("c.txt", "an owl");
  add();
  EXPECT_EQ(find("wren"), (Paths{"a.txt", "deep/er/b.txt"}));
  EXPECT_EQ(status().counts.ready, 3);
  EXPECT_EQ(status().activity, Activity::idle);
}

TEST_F(IndexerTest, AnUnchangedFolderIsNotReadAgain) {
  put("a.txt", "the wren sings");
  const auto id = add();
  rescan(id);
  start();
  rescan(id);
  EXPECT_EQ(*num_reads_, 1);
  EXPECT_EQ(find("wren"), Paths{"a.txt"});
}

TEST_F(IndexerTest, AChangedFileAnswersWithItsNewText) {
  put("a.txt", "the wren sings");
  const auto id = add();
  put("a.txt", "the robin sings now");
  rescan(id);
  EXPECT_EQ(find("wren"), Paths{});
  EXPECT_EQ(find("robin"), Paths{"a.txt"});
}

TEST_F(IndexerTest, AFileThatWasTouchedOnlyIsNotReadByTheWorker) {
  put("a.txt", "the wren sings");
  const auto id = add();
  fs::last_write_time(root() / "a.txt", fs::file_time_type::clock::now() + std::chrono::hours(1));
  rescan(id);
  EXPECT_EQ(*num_reads_, 1);
  EXPECT_EQ(status().counts.ready, 1);
  EXPECT_EQ(status().counts.queued, 0);
}

TEST_F(IndexerTest, AMovedFolderIsNotReadAgain) {
  put("old/a.txt", "the wren sings");
  put("old/b.txt", "the wren sleeps");
  const auto id = add();
  fs::rename(root() / "old", root() / "new");
  rescan(id);
  EXPECT_EQ(*num_reads_, 2);
  EXPECT_EQ(find("wren"), (Paths{"new/a.txt", "new/b.txt"}));
}

TEST_F(IndexerTest, ADeletedFileAnswersNoMore) {
  put("a.txt", "the wren sings");
  const auto id = add();
  fs::remove(root() / "a.txt");
  rescan(id);
  EXPECT_EQ(find("wren"), Paths{});
  EXPECT_EQ(status().counts.files, 0);
}

TEST_F(IndexerTest, WhatLiesInAFolderThatCannotBeReadIsKept) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads every folder";
  put("closed/a.txt", "the wren sings");
  const auto id = add();
  fs::permissions(root() / "closed", fs::perms::none);
  rescan(id);
  EXPECT_EQ(find("wren"), Paths{"closed/a.txt"});
  fs::permissions(root() / "closed", fs::perms::owner_all);
  fs::remove(root() / "closed" / "a.txt");
  rescan(id);
  EXPECT_EQ(find("wren"), Paths{});
}

TEST_F(IndexerTest, ManyDeletionsAreAskedAbout) {
  for (int i = 0; i < 30; ++i) put("f" + std::to_string(i), "the wren sings");
  const auto id = add();
  for (int i = 0; i < 25; ++i) fs::remove(root() / ("f" + std::to_string(i)));
  rescan(id);
  EXPECT_EQ(find("wren").size(), 30u);
  EXPECT_EQ(status().collection.state, CollectionState::asks_deletion);
  EXPECT_EQ(status().activity, Activity::standing);
  EXPECT_NE(status().collection.reason.find("25 of 30 files are gone"), std::string::npos);
  rescan(id, Deletions::are_meant);
  EXPECT_EQ(find("wren").size(), 5u);
  EXPECT_EQ(status().collection.state, CollectionState::active);
}

TEST_F(IndexerTest, AFolderThatIsGoneGoesOnAnsweringAndComesBack) {
  put("a.txt", "the wren sings");
  const auto id = add();
  fs::rename(root(), folder_.path() / "away");
  rescan(id);
  EXPECT_EQ(status().collection.state, CollectionState::unavailable);
  EXPECT_EQ(find("wren"), Paths{"a.txt"});
  fs::rename(folder_.path() / "away", root());
  rescan(id);
  EXPECT_EQ(status().collection.state, CollectionState::active);
  EXPECT_EQ(*num_reads_, 1);
}

TEST_F(IndexerTest, TheEmptyFolderThatADriveLeavesRemovesNothing) {
  const auto id = add();
  indexer_->set_paused(id, true);
  const index::FileToRead of_the_drive{
      "a.txt", {.device = 4711, .inode = 1, .size = 10, .mtime_ns = 1, .ctime_ns = 1}};
  indexer_->write([&] { store_->queue_files(id, std::span(&of_the_drive, 1)); });
  indexer_->set_paused(id, false);
  indexer_->wait_until_idle(id, {});
  EXPECT_EQ(status().collection.state, CollectionState::unavailable);
  EXPECT_NE(status().collection.reason.find("is the drive mounted?"), std::string::npos);
  EXPECT_EQ(status().counts.files, 1);
}

TEST_F(IndexerTest, WhatCannotBeReadSaysWhy) {
  put("a.txt", "ENCRYPTED");
  put("b.txt", "");
  const auto id = add();
  EXPECT_EQ(status().counts.failed, 1);
  EXPECT_EQ(status().counts.skipped, 1);
  const auto failed = store_->failed_files(id, 10);
  ASSERT_FALSE(failed.empty());
  EXPECT_EQ(failed[0].reason, "It is encrypted.");
  rescan(id);
  EXPECT_EQ(*num_reads_, 2);  // the same bytes fail the same way
}

TEST_F(IndexerTest, AnUpdateThatFailsLeavesTheOldTextAnswering) {
  put("a.txt", "the wren sings");
  const auto id = add();
  put("a.txt", "ENCRYPTED now");
  rescan(id);
  EXPECT_EQ(find("wren"), Paths{"a.txt"});
  put("a.txt", "");
  rescan(id);
  EXPECT_EQ(find("wren"), Paths{});  // an empty file has nothing to say
}

TEST_F(IndexerTest, AReaderThatCrashesIsTriedAgainLater) {
  put("a.txt", "CRASH");
  const auto id = add();
  EXPECT_EQ(status().counts.queued, 1);
  const auto file = store_->find_file(id, "a.txt");
  ASSERT_TRUE(file);
  EXPECT_GT(file->retry_at_ms, 0);
  EXPECT_EQ(file->reason, "Its reader crashed.");
}

TEST_F(IndexerTest, APausedCollectionStandsStillAndAnswers) {
  put("a.txt", "the wren sings");
  const auto id = add();
  indexer_->set_paused(id, true);
  put("b.txt", "the wren sleeps");
  EXPECT_EQ(status().activity, Activity::standing);
  EXPECT_EQ(find("wren"), Paths{"a.txt"});
  indexer_->set_paused(id, false);
  indexer_->wait_until_idle(id, {});
  EXPECT_EQ(find("wren"), (Paths{"a.txt", "b.txt"}));
}

TEST_F(IndexerTest, ARemovedCollectionAnswersNoMoreAndItsNameIsFree) {
  put("a.txt", "the wren sings");
  indexer_->remove(add());
  EXPECT_EQ(find("wren"), Paths{});
  EXPECT_TRUE(indexer_->status().empty());
  add();
  EXPECT_EQ(find("wren"), Paths{"a.txt"});
}

TEST_F(IndexerTest, FoldersThatCannotBeCollectionsAreRefused) {
  const auto refusal = [&](const std::string& name, const std::string& root) -> std::string {
    try {
      indexer_->add({.name = name, .root = root, .include = {}, .exclude = {}});
    } catch (const IndexError& error) {
      return error.what();
    }
    return "";
  };
  add();
  EXPECT_NE(refusal("x", "docs").find("no absolute path"), std::string::npos);
  EXPECT_NE(refusal("x", (root() / "none").string()).find("is no folder"), std::string::npos);
  EXPECT_NE(refusal("docs", folder_.path().string()).find("already"), std::string::npos);
  EXPECT_NE(refusal("x", root().string()).find("already"), std::string::npos);
  EXPECT_NE(refusal("x", (folder_.path() / "data").string()).find("Parley's own data"), std::string::npos);
}

TEST_F(IndexerTest, ParleysOwnDataBelowTheFolderIsLeftOut) {
  put("a.txt", "the wren sings");
  const auto collection =
      indexer_->add({.name = "all", .root = folder_.path().string(), .include = {}, .exclude = {}});
  indexer_->wait_until_idle(collection.id, {});
  EXPECT_EQ(status().counts.files, 1);
  EXPECT_EQ(find("wren"), Paths{"docs/a.txt"});
}

TEST_F(IndexerTest, ChangesAreFollowedWithinSeconds) {
  start(true);
  put("a.txt", "the wren sings");
  add();
  put("b.txt", "the wren sleeps");
  EXPECT_TRUE(tests::fakes::eventually([&] { return find("wren") == Paths{"a.txt", "b.txt"}; }, kPatience));
  fs::remove(root() / "a.txt");
  EXPECT_TRUE(tests::fakes::eventually([&] { return find("wren") == Paths{"b.txt"}; }, kPatience));
}

}  // namespace
}  // namespace parley::retrieval::ingest
