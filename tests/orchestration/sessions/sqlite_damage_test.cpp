// A damaged database is kept, said so, and never brings the server down.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>

#include "orchestration/sessions/session_store.h"
#include "orchestration/sessions/sqlite_database.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

class SqliteDamageTest : public testing::Test {
 protected:
  std::unique_ptr<SessionStore> open() {
    report_ = {};
    return open_sqlite_store(folder_.path(), report_);
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

  std::filesystem::path file() const { return folder_.path() / "parley.db"; }

  tests::fakes::TempDirectory folder_;
  StoreReport report_;
};

TEST_F(SqliteDamageTest, AFileThatIsNoDatabaseIsSetAside) {
  const std::string garbage(5000, 'g');
  write_file(file(), garbage);
  expect_new_and_copy_of(garbage);
  EXPECT_TRUE(open()->find("new"));  // the new one stays
  EXPECT_TRUE(report_.corrupt_copy.empty());
}

TEST_F(SqliteDamageTest, ABrokenPageIsSetAside) {
  fill();
  std::string bytes = read_file(file());
  ASSERT_GT(bytes.size(), 3 * 4096u);
  bytes.replace(bytes.size() / 2 / 4096 * 4096, 4096, std::string(4096, '\xA5'));
  write_file(file(), bytes);
  expect_new_and_copy_of(bytes);
}

TEST_F(SqliteDamageTest, ACutFileIsSetAside) {
  fill();
  const std::string bytes = read_file(file()).substr(0, 3 * 4096 + 100);
  write_file(file(), bytes);
  expect_new_and_copy_of(bytes);
}

TEST_F(SqliteDamageTest, ADroppedTableIsSetAside) {
  fill();
  Database(file()).execute("DROP TABLE answer_parts");
  expect_new_and_copy_of(read_file(file()));
}

TEST_F(SqliteDamageTest, TheLogGoesWithTheFile) {
  write_file(file(), "");
  write_file(folder_.path() / "parley.db-wal", "pages of the lost database");
  write_file(folder_.path() / "parley.db-shm", "shared");
  expect_new_and_copy_of("");
  EXPECT_EQ(read_file(report_.corrupt_copy.string() + "-wal"), "pages of the lost database");
  EXPECT_EQ(read_file(report_.corrupt_copy.string() + "-shm"), "shared");
}

TEST_F(SqliteDamageTest, EveryDamagedFileIsKept) {
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

class DamagedRowTest : public SqliteDamageTest {
 protected:
  // A question and the answer to it, which a crash cut off; then `sql` is run on the file.
  std::unique_ptr<SessionStore> reopen_after(const char* sql) {
    {
      auto store = open();
      store->create(sample_conversation("c"));
      Message answer = sample_answer("a", "q");
      answer.text = "one ";
      answer.token_ids = {1};
      answer.status = MessageStatus::streaming;
      store->add_turn("c", "title", sample_question("q", "", "question"), answer);
      store->append("c", "a", "two ", {300});
      store->append("c", "a", "three", {3});
    }
    Database(file()).execute(sql);
    auto store = open();
    EXPECT_TRUE(report_.corrupt_copy.empty());
    return store;
  }
};

TEST_F(DamagedRowTest, UnreadableTokenIdsCostOnlyTheIds) {
  auto store = reopen_after("UPDATE messages SET token_ids = x'ff' WHERE id = 'a'");
  EXPECT_EQ(report_.interrupted_answers, 1u);
  const Message answer = store->find_message("c", "a").value();
  EXPECT_EQ(answer.status, MessageStatus::interrupted);
  EXPECT_EQ(answer.text, "one two three");
  EXPECT_EQ(answer.token_ids, (std::vector<std::int32_t>{300, 3}));
  EXPECT_EQ(answer.epoch, sample_answer("a", "q").epoch + 1);
  EXPECT_EQ(store->path("c", "a", 10).items.size(), 2u);

  store->update_message("c", answer);  // and writing it again heals it
  store.reset();
  store = open();
  EXPECT_EQ(store->find_message("c", "a")->text, "one two three");
  EXPECT_EQ(report_.interrupted_answers, 0u);
}

TEST_F(DamagedRowTest, UnreadableTokenIdsOfAPartCostTheIds) {
  auto store = reopen_after("UPDATE answer_parts SET token_ids = x'ffffffffffff' WHERE part = 1");
  const Message answer = store->find_message("c", "a").value();
  EXPECT_EQ(answer.text, "one two three");
  EXPECT_TRUE(answer.token_ids.empty());
}

TEST_F(DamagedRowTest, AnUnknownStatusIsAFailedMessage) {
  auto store = reopen_after("UPDATE messages SET status = 'thinking' WHERE id = 'a'");
  const Message answer = store->path("c", "a", 10).items.at(1);
  EXPECT_EQ(answer.status, MessageStatus::failed);
  EXPECT_NE(answer.error.find("status 'thinking'"), std::string::npos) << answer.error;
  EXPECT_EQ(answer.text, "one two three");
  EXPECT_EQ(answer.role, Role::assistant);
}

TEST_F(DamagedRowTest, AnUnknownRoleIsAFailedMessage) {
  auto store = reopen_after("UPDATE messages SET role = 'oracle' WHERE id = 'q'");
  const Message question = store->path("c", "a", 10).items.at(0);
  EXPECT_EQ(question.status, MessageStatus::failed);
  EXPECT_NE(question.error.find("role 'oracle'"), std::string::npos) << question.error;
  EXPECT_EQ(question.text, "question");
}

void read_everything(SessionStore& store) {
  for (const Conversation& conversation : store.list(std::nullopt, 1000).items) {
    store.path(conversation.id, conversation.active_leaf, 1000);
  }
  store.create(sample_conversation("one more"));
}

// Whatever is flipped: the file opens, or is set aside, or is refused with a sentence; nothing crashes or
// hangs.
TEST_F(SqliteDamageTest, FlippedBytesNeverCrash) {
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
