// A damaged database is kept, said so, and never brings the server down.
#include "storage/sqlite/database_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>
#include <string>
#include <vector>

#include "orchestration/sessions/session_schema.h"
#include "orchestration/sessions/sqlite.h"
#include "storage/sqlite/database_check.h"
#include "storage/sqlite/suspicion.h"
#include "tests/orchestration/sessions/sample_data.h"
#include "tests/orchestration/sessions/store_on_disk.h"

namespace parley::orchestration::sessions {
namespace {

class DatabaseFileTest : public StoreOnDisk {
 protected:
  DatabaseFileTest() {
    options_.tell = [this](const std::string& line) { told_.push_back(line); };
  }

  // One of the messages.
  static std::string with_a_broken_page(std::string bytes) {
    const std::size_t at = bytes.find(std::string(300, 'q'));
    return bytes.replace(at / 4096 * 4096, 4096, std::string(4096, '\xA5'));
  }

  void fill() {
    auto store = open();
    for (int i = 0; i < 40; ++i) {
      const std::string id = std::to_string(i);
      store->create(sample_conversation("c" + id));
      store->add_turn("c" + id, "title", sample_question("q" + id, "", std::string(700, 'q')),
                      sample_answer("a" + id, "q" + id));
      store->append("c" + id, "a" + id, std::string(300, 'a'), {1, 2, 3});
    }
  }

  void expect_new_and_copy_of(const std::string& damaged) {
    auto store = open();
    ASSERT_FALSE(report_.corrupt_copy.empty());
    EXPECT_EQ(report_.corrupt_copy.parent_path(), folder_.path());
    EXPECT_EQ(report_.corrupt_copy.filename().string().rfind("parley.db.corrupt-", 0), 0u);
    EXPECT_EQ(read_file(report_.corrupt_copy), damaged);
    EXPECT_TRUE(store->list(std::nullopt, 10).items.empty());
    EXPECT_TRUE(store->create(sample_conversation("new")));
  }

  std::vector<std::string> told_;
};

TEST_F(DatabaseFileTest, ANewOneIsPrivateDurableAndEmpty) {
  Database database = storage::sqlite::open_database_file(file(), session_schema(), {}, report_).database;
  EXPECT_TRUE(report_.corrupt_copy.empty());
  EXPECT_EQ(database.text("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(database.text("PRAGMA locking_mode"), "exclusive");
  EXPECT_EQ(database.integer("PRAGMA synchronous"), 2);  // FULL
  EXPECT_EQ(database.integer("PRAGMA foreign_keys"), 1);
  EXPECT_EQ(storage::sqlite::find_missing_tables(database, session_schema()), std::nullopt);
  struct stat status {};
  ASSERT_EQ(::stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(DatabaseFileTest, AFileThatCannotBeOpenedIsRefusedWithASentence) {
  const auto missing = folder_.path() / "missing" / "parley.db";
  try {
    storage::sqlite::open_database_file(missing, session_schema(), {}, report_);
    FAIL();
  } catch (const StoreError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(missing.string()), std::string::npos) << text;
    EXPECT_NE(text.find("write access"), std::string::npos) << text;
  }
  EXPECT_TRUE(report_.corrupt_copy.empty());
}

TEST_F(DatabaseFileTest, AFileThatIsNoDatabaseIsSetAside) {
  const std::string garbage(5000, 'g');
  write_file(file(), garbage);
  expect_new_and_copy_of(garbage);
  EXPECT_TRUE(open()->find("new"));  // the new one stays
  EXPECT_TRUE(report_.corrupt_copy.empty());
}

TEST_F(DatabaseFileTest, ABrokenPageIsSetAside) {
  fill();
  std::string bytes = read_file(file());
  ASSERT_GT(bytes.size(), 3 * 4096u);
  bytes = with_a_broken_page(std::move(bytes));
  write_file(file(), bytes);
  expect_new_and_copy_of(bytes);
}

TEST_F(DatabaseFileTest, ACutFileIsSetAside) {
  fill();
  const std::string bytes = read_file(file()).substr(0, 3 * 4096 + 100);
  write_file(file(), bytes);
  expect_new_and_copy_of(bytes);
}

TEST_F(DatabaseFileTest, ADroppedTableIsSetAside) {
  fill();
  Database(file()).execute("DROP TABLE answer_parts");
  expect_new_and_copy_of(read_file(file()));
}

TEST_F(DatabaseFileTest, TheLogGoesWithTheFile) {
  write_file(file(), "");
  write_file(folder_.path() / "parley.db-wal", "pages of the lost database");
  write_file(folder_.path() / "parley.db-shm", "shared");
  expect_new_and_copy_of("");
  EXPECT_EQ(read_file(report_.corrupt_copy.string() + "-wal"), "pages of the lost database");
  EXPECT_EQ(read_file(report_.corrupt_copy.string() + "-shm"), "shared");
}

TEST_F(DatabaseFileTest, ADamagedLogIsCopiedAndTheRestServed) {
  fill();
  const auto log = folder_.path() / "parley.db-wal";
  std::string log_bytes, file_bytes;
  {
    auto store = open();
    store->create(sample_conversation("in the log"));
    log_bytes = read_file(log);  // as kill -9 would leave it
    file_bytes = read_file(file());
  }
  ASSERT_GT(log_bytes.size(), 32u);
  log_bytes[40] ^= 1;
  write_file(file(), file_bytes);
  write_file(log, log_bytes);
  auto store = open();
  EXPECT_TRUE(report_.corrupt_copy.empty());
  ASSERT_FALSE(report_.damaged_log_copy.empty());
  EXPECT_EQ(read_file(report_.damaged_log_copy), file_bytes);
  EXPECT_EQ(read_file(report_.damaged_log_copy.string() + "-wal"), log_bytes);
  EXPECT_TRUE(store->find("c0"));
  EXPECT_FALSE(store->find("in the log"));
}

// As after a kill -9 of a run that had met none.
TEST_F(DatabaseFileTest, ALargeOneIsCheckedFirstWhereTheLastRunWasCutOff) {
  fill();
  const std::string damaged = with_a_broken_page(read_file(file()));
  write_file(file(), damaged);
  write_file(folder_.path() / "parley.db-wal", "");
  options_.checked_before = 0;
  expect_new_and_copy_of(damaged);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_NE(told_[0].find("is being checked first, since Parley was cut off"), std::string::npos) << told_[0];
}

TEST_F(DatabaseFileTest, ALargeOneThatWasClosedIsOpenedUnchecked) {
  fill();
  options_.checked_before = 0;
  const storage::sqlite::OpenedFile opened =
      storage::sqlite::open_database_file(file(), session_schema(), options_, report_);
  EXPECT_FALSE(opened.is_checked);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_NE(told_[0].find("(1 MiB) is being checked while Parley serves"), std::string::npos) << told_[0];
}

TEST_F(DatabaseFileTest, ASmallOneIsAlwaysCheckedFirst) {
  fill();
  EXPECT_TRUE(storage::sqlite::open_database_file(file(), session_schema(), options_, report_).is_checked);
  EXPECT_TRUE(told_.empty());
}

TEST_F(DatabaseFileTest, AnUnreadableBeginningIsSetAsideHoweverLargeItIs) {
  fill();
  std::string bytes = read_file(file());
  bytes.replace(0, 4096, std::string(4096, '\xA5'));
  write_file(file(), bytes);
  options_.checked_before = 0;
  expect_new_and_copy_of(bytes);
}

// Quick checks do not compare indexes with their tables.
TEST_F(DatabaseFileTest, IndexesOfASuspectedOneAreMadeAnew) {
  { open()->create(sample_conversation("needle")); }
  const std::string healthy = read_file(file());
  std::string damaged;
  for (auto at = healthy.find("needle"); at != std::string::npos && damaged.empty();
       at = healthy.find("needle", at + 1)) {
    std::string bytes = healthy;
    bytes[at] = 'N';
    write_file(file(), bytes);
    Database database(file());
    const bool is_of_an_index =
        !storage::sqlite::find_damage(database.handle(), storage::sqlite::Check::quick) &&
        storage::sqlite::find_damage(database.handle(), storage::sqlite::Check::whole) &&
        database.integer("SELECT count(*) FROM conversations NOT INDEXED WHERE id = 'needle'") == 1;
    if (is_of_an_index) damaged = bytes;
  }
  ASSERT_FALSE(damaged.empty());
  write_file(file(), damaged);
  storage::sqlite::suspect(file());
  const auto store = open();
  EXPECT_TRUE(report_.corrupt_copy.empty());
  EXPECT_TRUE(report_.rebuilt_indexes);
  EXPECT_TRUE(store->find("needle"));
  EXPECT_FALSE(storage::sqlite::is_suspected(file()));
}

TEST_F(DatabaseFileTest, DamageThatIsMetIsLookedForAtTheNextStart) {
  fill();
  const std::string damaged = with_a_broken_page(read_file(file()));
  write_file(file(), damaged);
  options_.checked_before = 0;
  {
    Database database(file());
    EXPECT_THROW(database.integer("SELECT count(*) FROM messages WHERE text = 'x'"), StoreError);
  }
  EXPECT_TRUE(storage::sqlite::is_suspected(file()));
  expect_new_and_copy_of(damaged);
  EXPECT_FALSE(storage::sqlite::is_suspected(file()));
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_NE(told_[0].find("first, since damage was met in it"), std::string::npos) << told_[0];
}

TEST_F(DatabaseFileTest, EveryDamagedFileIsKept) {
  std::vector<std::filesystem::path> copies;
  for (int i = 0; i < 3; ++i) {
    write_file(file(), std::string(2000, static_cast<char>('a' + i)));
    open();
    copies.push_back(report_.corrupt_copy);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(read_file(copies[static_cast<std::size_t>(i)]), std::string(2000, static_cast<char>('a' + i)));
  }
}

void read_everything(SessionStore& store) {
  for (const Conversation& conversation : store.list(std::nullopt, 1000).items) {
    store.path(conversation.id, conversation.active_leaf, 1000);
  }
  store.create(sample_conversation("one more"));
}

// Whatever is flipped: the file opens, or is set aside, or is refused with a sentence; nothing crashes or
// hangs.
TEST_F(DatabaseFileTest, FlippedBytesNeverCrash) {
  fill();
  const std::string healthy = read_file(file());
  std::mt19937 random(7);
  int set_aside = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = healthy;
    const int flips = 1 + static_cast<int>(random() % 8);
    // Half of the flips hit the first pages: header and schema.
    const std::size_t range = i % 2 == 0 ? bytes.size() : 8192;
    for (int flip = 0; flip < flips; ++flip)
      bytes[random() % range] ^= static_cast<char>(1 << (random() % 8));
    write_file(file(), bytes);
    std::filesystem::remove(file().string() + "-wal");
    try {
      const auto store = open();
      read_everything(*store);
    } catch (const StoreError& error) {
      EXPECT_STRNE(error.what(), "");
    }
    if (!report_.corrupt_copy.empty()) {
      ++set_aside;
      EXPECT_EQ(read_file(report_.corrupt_copy), bytes);
      std::filesystem::remove(report_.corrupt_copy);
    }
  }
  EXPECT_GT(set_aside, 30);
}

}  // namespace
}  // namespace parley::orchestration::sessions
