// Files by state: the durable queue.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/retrieval/index/sample_documents.h"

namespace parley::retrieval::index {
namespace {

constexpr std::int64_t kNow = 1'000'000;

std::vector<std::string> paths_of(const std::vector<FileRecord>& files) {
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const FileRecord& file : files) paths.push_back(file.path);
  return paths;
}

TEST(FileQueue, GivesSmallFilesFirstAndTheNewestOfThem) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const std::vector<FileToRead> files = {{"big-new", stamp_at(9, 50'000'000)},
                                         {"small-old", stamp_at(1)},
                                         {"small-new", stamp_at(8)},
                                         {"big-old", stamp_at(2, 5'000'000)}};
  on_disk.store->queue_files(docs, files);
  EXPECT_EQ(paths_of(on_disk.store->next_files(kNow, 10)),
            (std::vector<std::string>{"small-new", "small-old", "big-new", "big-old"}));
  EXPECT_EQ(paths_of(on_disk.store->next_files(kNow, 1)), (std::vector<std::string>{"small-new"}));
}

TEST(FileQueue, IsThereAfterARestart) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  on_disk.file(docs, "a\xff.txt", 5);
  on_disk.open();
  const std::vector<FileRecord> next = on_disk.store->next_files(kNow, 10);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].path, "a\xff.txt");
  EXPECT_EQ(next[0].stamp, stamp_at(5));
  EXPECT_FALSE(next[0].content.has_value());
}

TEST(FileQueue, HoldsAFileBackUntilItIsDue) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file(docs, "a.txt");
  on_disk.store->fail_file(file, {.state = FileState::queued,
                                  .reason = "It changed while it was read.",
                                  .retry_at_ms = kNow + 1,
                                  .content = {}});
  EXPECT_TRUE(on_disk.store->next_files(kNow, 10).empty());
  const std::vector<FileRecord> next = on_disk.store->next_files(kNow + 1, 10);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].attempts, 1);
  EXPECT_EQ(next[0].reason, "It changed while it was read.");
  on_disk.file(docs, "a.txt", 2);  // changed: to be read at once
  ASSERT_EQ(on_disk.store->next_files(kNow, 10).size(), 1u);
  EXPECT_EQ(on_disk.store->next_files(kNow, 10)[0].attempts, 0);
  EXPECT_EQ(on_disk.store->next_files(kNow, 10)[0].reason, "");
}

TEST(FileQueue, PassesOverCollectionsThatNobodyReads) {
  StoreOnDisk on_disk;
  const CollectionId paused = on_disk.collection("paused");
  on_disk.file(paused, "a.txt");
  on_disk.file(on_disk.collection("active"), "b.txt");
  on_disk.store->set_collection_state(paused, CollectionState::paused, "");
  EXPECT_EQ(paths_of(on_disk.store->next_files(kNow, 10)), (std::vector<std::string>{"b.txt"}));
  on_disk.store->set_collection_state(paused, CollectionState::active, "");
  EXPECT_EQ(on_disk.store->next_files(kNow, 10).size(), 2u);
}

TEST(FileQueue, IsDoneWithAFileThatWasCommitted) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  on_disk.file_with(docs, "a.txt", "apple\npear", 3);
  EXPECT_TRUE(on_disk.store->next_files(kNow, 10).empty());
  const FileRecord file = on_disk.store->find_file(docs, "a.txt").value();
  EXPECT_EQ(file.state, FileState::ready);
  EXPECT_EQ(file.stamp, stamp_at(3));
  EXPECT_EQ(file.content, hash_text("apple\npear"));
  EXPECT_EQ(file.reader_version, 1);
  EXPECT_EQ(file.title, "Title");
  EXPECT_EQ(file.media_type, "text/plain");
  EXPECT_EQ(file.num_passages, 2);
}

TEST(FileQueue, KeepsAFileThatChangedWhileItWasRead) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId file = on_disk.file(docs, "a.txt", 3);
  on_disk.file(docs, "a.txt", 4);  // told of while the state of 3 is being read
  on_disk.store->commit_file(commit_of(file, "apple", 3));
  EXPECT_EQ(on_disk.texts({"apple"}), Texts{"apple"});
  ASSERT_EQ(on_disk.store->next_files(kNow, 10).size(), 1u);
  on_disk.store->commit_file(commit_of(file, "apple pie", 4));
  EXPECT_TRUE(on_disk.store->next_files(kNow, 10).empty());
}

TEST(FileQueue, RestampsToWhatAFileWasBefore) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  const FileId ready = on_disk.file_with(docs, "ready.txt", "apple");
  const FileId skipped = on_disk.file(docs, "skipped.png");
  on_disk.store->fail_file(
      skipped, {.state = FileState::skipped, .reason = "It is a picture.", .retry_at_ms = 0, .content = {}});
  for (const auto& [file, path] : {std::pair{ready, "ready.txt"}, {skipped, "skipped.png"}}) {
    on_disk.file(docs, path, 5);
    on_disk.store->restamp_file(file, stamp_at(6));
  }
  EXPECT_TRUE(on_disk.store->next_files(kNow, 10).empty());
  EXPECT_EQ(on_disk.store->find_file(docs, "ready.txt")->state, FileState::ready);
  EXPECT_EQ(on_disk.store->find_file(docs, "ready.txt")->stamp, stamp_at(6));
  EXPECT_EQ(on_disk.store->find_file(docs, "skipped.png")->state, FileState::skipped);
  EXPECT_EQ(on_disk.store->find_file(docs, "skipped.png")->reason, "It is a picture.");
}

TEST(FileQueue, CountsByState) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  on_disk.file_with(docs, "a.txt", "apple\npear");
  on_disk.file_with(docs, "b.txt", "plum");
  on_disk.file(docs, "b.txt", 2);
  on_disk.store->fail_file(on_disk.file(docs, "c"), {});
  on_disk.store->fail_file(on_disk.file(docs, "d"),
                           {.state = FileState::skipped, .reason = "", .retry_at_ms = 0, .content = {}});
  const CollectionCounts counts = on_disk.store->counts(docs);
  EXPECT_EQ(counts.files, 4);
  EXPECT_EQ(counts.ready, 1);
  EXPECT_EQ(counts.queued, 1);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.skipped, 1);
  EXPECT_EQ(counts.passages, 3);
  EXPECT_EQ(counts.bytes, 100);
}

TEST(FileQueue, HoldsAHundredThousandFiles) {
  StoreOnDisk on_disk;
  const CollectionId docs = on_disk.collection("docs");
  std::vector<FileToRead> files;
  files.reserve(100'000);
  for (int i = 0; i < 100'000; ++i) files.push_back({"folder/" + std::to_string(i), stamp_at(i + 1)});
  const auto begin = std::chrono::steady_clock::now();
  on_disk.store->queue_files(docs, files);
  EXPECT_EQ(on_disk.store->next_files(kNow, 1)[0].path, "folder/99999");
  std::vector<std::string> seen;
  on_disk.store->for_each_file(docs, [&](const FileRecord& file) { seen.push_back(file.path); });
  EXPECT_EQ(seen.size(), 100'000u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(on_disk.store->counts(docs).queued, 100'000);
  // About two seconds on a slow machine; this is for work that grows with the square.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(240));
}

}  // namespace
}  // namespace parley::retrieval::index
