#include "orchestration/sessions/command_table.h"

#include <gtest/gtest.h>

#include "orchestration/sessions/session_schema.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

class CommandTableTest : public testing::Test {
 protected:
  static Database migrated() {
    Database database{std::filesystem::path()};
    storage::sqlite::migrate(database, session_schema());
    return database;
  }
  // Three commands at most, none older than ten milliseconds.
  static CommandMemory short_memory() {
    CommandMemory memory;
    memory.max_count = 3;
    memory.max_age = std::chrono::milliseconds(10);
    return memory;
  }

  std::int64_t num_rows() { return database_.integer("SELECT count(*) FROM commands"); }
  // The ids that are known, of "a" to "z".
  std::string known() {
    std::string ids;
    for (char id = 'a'; id <= 'z'; ++id) {
      if (table_.find(std::string(1, id))) ids += id;
    }
    return ids;
  }

  Database database_ = migrated();
  CommandTable table_{database_, short_memory()};
};

TEST_F(CommandTableTest, GivesBackACommandAsItWasInserted) {
  AppliedCommand command = sample_command("a", 77);
  command.content_hash = INT64_MIN;
  command.message = "answer";
  EXPECT_TRUE(table_.insert(command));
  const auto found = table_.find("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, "a");
  EXPECT_EQ(found->content_hash, INT64_MIN);
  EXPECT_EQ(found->message, "answer");
  EXPECT_EQ(found->applied_at, 77);
  EXPECT_FALSE(table_.find("b"));
}

TEST_F(CommandTableTest, KeepsTheFirstOfTwoWithOneId) {
  AppliedCommand again = sample_command("a", 2);
  again.content_hash = 9;
  table_.insert(sample_command("a", 1));
  EXPECT_FALSE(table_.insert(again));
  EXPECT_EQ(table_.find("a")->content_hash, sample_command("a").content_hash);
  EXPECT_EQ(num_rows(), 1);
}

TEST_F(CommandTableTest, ForgetsTheOldestWhenTheyAreTooMany) {
  for (const char* id : {"a", "b", "c"}) table_.insert(sample_command(id, 100));
  EXPECT_EQ(known(), "abc");
  table_.insert(sample_command("d", 100));
  EXPECT_EQ(known(), "bcd");
  EXPECT_FALSE(table_.insert(sample_command("d", 100)));
  EXPECT_EQ(known(), "bcd");  // a repetition pushes none out
  for (int i = 0; i < 1000; ++i) table_.insert(sample_command(std::to_string(i), 100));
  EXPECT_EQ(num_rows(), 3);
}

TEST_F(CommandTableTest, ForgetsWhatIsTooOld) {
  table_.insert(sample_command("a", 100));
  table_.insert(sample_command("b", 105));
  table_.insert(sample_command("c", 110));
  EXPECT_EQ(known(), "abc");
  table_.insert(sample_command("d", 111));
  EXPECT_EQ(known(), "bcd");
  table_.insert(sample_command("e", 1'000'000));
  EXPECT_EQ(known(), "e");
}

TEST_F(CommandTableTest, AClockThatIsSetBackForgetsNone) {
  table_.insert(sample_command("a", 1'000'000));
  table_.insert(sample_command("b", 5));
  EXPECT_EQ(known(), "ab");
}

TEST_F(CommandTableTest, IsUndoneWithItsTransaction) {
  {
    Transaction transaction(database_);
    EXPECT_TRUE(table_.insert(sample_command("a")));
  }
  EXPECT_EQ(known(), "");
}

TEST_F(CommandTableTest, UnlessToldOtherwiseRemembersAWeek) {
  CommandTable table(database_);
  const UnixMillis week = std::chrono::milliseconds(std::chrono::days(7)).count();
  table.insert(sample_command("a", 1));
  for (char id = 'b'; id <= 'f'; ++id) table.insert(sample_command(std::string(1, id), week));
  EXPECT_EQ(known(), "abcdef");
  table.insert(sample_command("g", week + 2));
  EXPECT_EQ(known(), "bcdefg");
}

}  // namespace
}  // namespace parley::orchestration::sessions
