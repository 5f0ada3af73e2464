// What only the store on disk can show: it survives its process, keeps its folder to itself, writes little.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "orchestration/sessions/sqlite.h"
#include "tests/orchestration/sessions/sample_data.h"
#include "tests/orchestration/sessions/store_on_disk.h"

namespace parley::orchestration::sessions {
namespace {

using SqliteStoreTest = StoreOnDisk;

TEST_F(SqliteStoreTest, IsThereAgainAfterAReopen) {
  {
    auto store = open();
    store->create(sample_conversation("c"));
    store->add_turn("c", "title", sample_question("q", "", "hello"), sample_answer("a", "q"));
    store->append("c", "a", "half", {1});
  }
  auto store = open();
  EXPECT_TRUE(report_.corrupt_copy.empty());
  EXPECT_EQ(report_.interrupted_answers, 1u);
  const auto page = store->path("c", store->find("c")->active_leaf, 10);
  ASSERT_EQ(page.items.size(), 2u);
  EXPECT_EQ(page.items[0].text, "hello");
  EXPECT_EQ(page.items[1].text, "half");
  EXPECT_EQ(page.items[1].status, MessageStatus::interrupted);
  EXPECT_EQ(page.items[1].epoch, 1);
  EXPECT_FALSE(store->add_turn("c", "title", sample_question("q", "", "hello"), sample_answer("b", "q")));
}

TEST_F(SqliteStoreTest, KnowsItsCommandsAfterAReopen) {
  AppliedCommand command = sample_command("send");
  command.message = "a";
  {
    auto store = open();
    store->create(sample_conversation("c"), sample_command("create"));
    store->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"), command);
    store->remember(sample_command("stop"));
  }
  auto store = open();
  EXPECT_EQ(store->find_command("send")->message, "a");
  EXPECT_TRUE(store->find_command("create"));
  EXPECT_TRUE(store->find_command("stop"));
  EXPECT_FALSE(store->find_command("q"));
  EXPECT_FALSE(store->remember(sample_command("stop")));
}

TEST_F(SqliteStoreTest, KeepsItsFilesPrivate) {
  auto store = open();
  store->create(sample_conversation("c"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    struct stat status {};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0077, 0u) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 3);  // lock, database, log
}

TEST_F(SqliteStoreTest, ASecondStoreOnTheFolderIsRefused) {
  auto store = open();
  EXPECT_NE(refusal().find("is in use by process " + std::to_string(::getpid())), std::string::npos);
  store->create(sample_conversation("c"));  // the first is not disturbed
}

TEST_F(SqliteStoreTest, AnotherConnectionIsLockedOut) {
  auto store = open();
  store->create(sample_conversation("c"));
  Database other(folder_.path() / "parley.db");
  EXPECT_THROW(other.integer("SELECT count(*) FROM conversations"), StoreError);
}

TEST_F(SqliteStoreTest, ANewerSchemaIsRefusedAndLeftAlone) {
  open();
  Database(folder_.path() / "parley.db").execute("PRAGMA user_version = 7");
  EXPECT_NE(refusal().find("newer Parley (schema 7"), std::string::npos);
  EXPECT_NE(refusal().find("parley.db"), std::string::npos);
  EXPECT_EQ(Database(folder_.path() / "parley.db").integer("PRAGMA user_version"), 7);
}

TEST_F(SqliteStoreTest, AFolderInThePlaceOfTheDatabaseIsRefused) {
  std::filesystem::create_directory(folder_.path() / "parley.db");
  EXPECT_NE(refusal().find("parley.db"), std::string::npos);
}

std::uint64_t bytes_written_by_this_process() {
  std::ifstream io("/proc/self/io");
  std::string key;
  std::uint64_t value = 0;
  while (io >> key >> value) {
    if (key == "wchar:") return value;
  }
  return 0;
}

// A chat program that wrote its whole file again for every token wrote gigabytes a day.
TEST_F(SqliteStoreTest, AGrowingAnswerIsNotWrittenAgainAsAWhole) {
  if (bytes_written_by_this_process() == 0) GTEST_SKIP() << "no /proc/self/io";
  auto store = open();
  store->create(sample_conversation("c"));
  store->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"));
  store->append("c", "a", std::string(1u << 20, 'x'), {});
  const auto before = bytes_written_by_this_process();
  for (int i = 0; i < 500; ++i) store->append("c", "a", "a few tokens more ", {1, 2, 3, 4});
  const auto written = bytes_written_by_this_process() - before;
  EXPECT_LT(written, 30u << 20);  // 500 MB if each append wrote the text again
  EXPECT_EQ(store->find_message("c", "a")->text.size(), (1u << 20) + 500 * 18);
}

TEST_F(SqliteStoreTest, NothingIsAcknowledgedOnceTheFileIsGone) {
  auto store = open();
  ASSERT_TRUE(store->create(sample_conversation("kept")));
  std::filesystem::rename(file(), folder_.path() / "elsewhere.db");
  try {
    store->create(sample_conversation("lost"));
    FAIL();
  } catch (const StoreError& error) {
    EXPECT_NE(std::string(error.what()).find("was moved or deleted"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(store->find("lost"));
  std::filesystem::rename(folder_.path() / "elsewhere.db", file());
  EXPECT_TRUE(store->create(sample_conversation("found again")));
  std::filesystem::remove_all(folder_.path());
  EXPECT_THROW(store->create(sample_conversation("lost")), StoreError);
}

}  // namespace
}  // namespace parley::orchestration::sessions
