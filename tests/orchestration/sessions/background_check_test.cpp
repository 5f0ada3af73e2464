// A large database is checked while it is used.
#include "storage/sqlite/background_check.h"

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "storage/sqlite/suspicion.h"
#include "tests/fakes/eventually.h"
#include "tests/orchestration/sessions/sample_data.h"
#include "tests/orchestration/sessions/store_on_disk.h"

namespace parley::orchestration::sessions {
namespace {

using tests::fakes::eventually;

class BackgroundCheckTest : public StoreOnDisk {
 protected:
  BackgroundCheckTest() {
    options_.tell = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      told_.push_back(line);
    };
  }

  void fill(int count) {
    const auto store = open();
    for (int i = 0; i < count; ++i) {
      const std::string id = std::to_string(i);
      store->create(sample_conversation("c" + id));
      store->add_message("c" + id, sample_question("q" + id, "", std::string(200'000, 'q')));
    }
  }
  void break_a_page() {
    std::string bytes = read_file(file());
    bytes.replace(bytes.size() / 2 / 4096 * 4096, 4096, std::string(4096, '\xA5'));
    write_file(file(), bytes);
  }
  bool tells(const std::string& words) {
    return eventually(
        [&] {
          const std::lock_guard lock(mutex_);
          return !told_.empty() && told_.back().find(words) != std::string::npos;
        },
        std::chrono::seconds(20));
  }
  std::size_t log_bytes() const { return std::filesystem::file_size(file().string() + "-wal"); }

  std::mutex mutex_;
  std::vector<std::string> told_;
};

TEST_F(BackgroundCheckTest, SaysThatALargeFileIsHealthyAndCheckedWhileItIsUsed) {
  fill(20);
  options_.checked_before = 0;
  const auto store = open();
  EXPECT_TRUE(store->create(sample_conversation("meanwhile")));
  EXPECT_TRUE(tells("was checked and is healthy"));
  EXPECT_FALSE(storage::sqlite::is_suspected(file()));
  EXPECT_TRUE(store->find("meanwhile"));
}

TEST_F(BackgroundCheckTest, SaysThatAFileIsDamagedAndTheNextStartSetsItAside) {
  fill(20);
  break_a_page();
  options_.checked_before = 0;
  {
    const auto store = open();
    EXPECT_TRUE(report_.corrupt_copy.empty());
    EXPECT_TRUE(tells("is damaged"));
    EXPECT_TRUE(tells("restart Parley"));
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(told_.back().find('\n'), std::string::npos) << told_.back();
    EXPECT_TRUE(storage::sqlite::is_suspected(file()));
  }
  const auto store = open();
  EXPECT_FALSE(report_.corrupt_copy.empty());
  EXPECT_FALSE(storage::sqlite::is_suspected(file()));
  EXPECT_TRUE(store->list(std::nullopt, 10).items.empty());
}

// Else the check would see pages of two states, and find damage where there is none.
TEST_F(BackgroundCheckTest, LeavesTheFileAloneUntilItIsOver) {
  fill(100);
  options_.checked_before = 0;
  const std::string before = read_file(file());
  const auto store = open();
  for (int i = 0; i < 30; ++i) {
    const std::string id = "new" + std::to_string(i);
    store->create(sample_conversation(id));
    store->add_message(id, sample_question(id, "", std::string(200'000, 'n')));
    const std::lock_guard lock(mutex_);
    if (told_.size() == 1) {
      ASSERT_EQ(std::filesystem::file_size(file()), before.size()) << i;
    }
  }
  EXPECT_TRUE(tells("was checked and is healthy"));
  EXPECT_GT(log_bytes(), 4'000'000u);
  store->create(sample_conversation("last"));
  EXPECT_NE(read_file(file()), before) << "what was kept back goes into the file";
  EXPECT_TRUE(store->find("new29"));
}

TEST_F(BackgroundCheckTest, IsGivenUpWhenTheStoreCloses) {
  fill(100);
  options_.checked_before = 0;
  for (int i = 0; i < 5; ++i) open();
  const std::lock_guard lock(mutex_);
  for (const std::string& line : told_) EXPECT_EQ(line.find("could not"), std::string::npos) << line;
  EXPECT_FALSE(storage::sqlite::is_suspected(file()));
  options_.checked_before = 1u << 30;
  EXPECT_TRUE(open()->find("c99"));
  EXPECT_TRUE(report_.corrupt_copy.empty());
}

TEST_F(BackgroundCheckTest, TakesAnyPath) {
  const auto folder = folder_.path() / "a ?b#c%d ü";
  std::filesystem::create_directories(folder);
  { open_sqlite_store(folder, report_, options_)->create(sample_conversation("c")); }
  options_.checked_before = 0;
  const auto store = open_sqlite_store(folder, report_, options_);
  EXPECT_TRUE(tells("was checked and is healthy"));
}

}  // namespace
}  // namespace parley::orchestration::sessions
