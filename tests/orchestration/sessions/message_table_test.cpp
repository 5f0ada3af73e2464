#include "orchestration/sessions/message_table.h"

#include <gtest/gtest.h>

#include "orchestration/sessions/session_schema.h"
#include "orchestration/sessions/session_store.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

class MessageTableTest : public testing::Test {
 protected:
  MessageTableTest() {
    database_.execute("INSERT INTO conversations VALUES ('c', '', '', NULL, NULL, '', 1, 1, 0, NULL)");
  }

  // A database of today's schema, opened as the store opens it.
  static Database migrated() {
    Database database{std::filesystem::path()};
    storage::sqlite::migrate(database, session_schema());
    database.execute("PRAGMA foreign_keys = ON");
    return database;
  }

  std::string climbed(const std::string& leaf, std::int64_t limit = 100) {
    std::string ids;
    for (const Message& message : table_.climb("c", leaf, limit)) ids += message.id + " ";
    return ids;
  }
  std::int64_t num_parts() { return database_.integer("SELECT count(*) FROM answer_parts"); }

  Database database_ = migrated();
  CallTable calls_{database_};
  MessageTable table_{database_, calls_};
};

TEST_F(MessageTableTest, AnIdIsInsertedOnce) {
  EXPECT_TRUE(table_.insert("c", sample_question("q", "", "first")));
  EXPECT_FALSE(table_.insert("c", sample_question("q", "", "second")));
  EXPECT_EQ(table_.find("c", "q")->text, "first");
  EXPECT_EQ(table_.find("other", "q"), std::nullopt);
  EXPECT_THROW(table_.insert("c", sample_question("x", "unknown")), StoreError);
  EXPECT_THROW(table_.insert("unknown", sample_question("x", "")), StoreError);
}

TEST_F(MessageTableTest, PartsAreReadBehindTheTextAndJoinedByAReplacement) {
  table_.insert("c", sample_question("q", ""));
  Message answer = sample_answer("a", "q");
  answer.text = "1";
  answer.token_ids = {1};
  table_.insert("c", answer);
  table_.append("c", "a", "2", {2});
  table_.append("c", "a", "3", {});
  EXPECT_EQ(num_parts(), 2);
  EXPECT_EQ(table_.find("c", "a")->text, "123");
  EXPECT_EQ(table_.find("c", "a")->token_ids, (std::vector<std::int32_t>{1, 2}));

  answer.text = "whole";
  table_.replace("c", answer);
  EXPECT_EQ(num_parts(), 0);
  EXPECT_EQ(table_.find("c", "a")->text, "whole");
  table_.append("c", "a", "+", {});
  EXPECT_EQ(table_.find("c", "a")->text, "whole+");
}

TEST_F(MessageTableTest, CallsAreReadWithTheirAnswer) {
  table_.insert("c", sample_question("q", ""));
  Message answer = sample_answer("a", "q");
  answer.calls = {sample_call("1"), sample_call("2")};
  table_.insert("c", answer);
  EXPECT_EQ(table_.find("c", "a")->calls.size(), 2u);
  EXPECT_EQ(table_.climb("c", "a", 9).at(0).calls.at(1).id, "2");
  EXPECT_TRUE(table_.climb("c", "a", 9).at(1).calls.empty());
  answer.calls.pop_back();
  table_.replace("c", answer);
  EXPECT_EQ(table_.find("c", "a")->calls.size(), 1u);
}

TEST_F(MessageTableTest, UnknownMessagesCannotGrow) {
  EXPECT_THROW(table_.append("c", "a", "x", {}), StoreError);
  EXPECT_THROW(table_.replace("c", sample_answer("a", "")), StoreError);
}

TEST_F(MessageTableTest, ClimbsFromTheLeafToTheRoot) {
  table_.insert("c", sample_question("1", ""));
  table_.insert("c", sample_answer("2", "1"));
  table_.insert("c", sample_answer("2b", "1"));
  table_.insert("c", sample_question("3", "2"));
  EXPECT_EQ(climbed("3"), "3 2 1 ");
  EXPECT_EQ(climbed("2b"), "2b 1 ");
  EXPECT_EQ(climbed("3", 2), "3 2 ");
  EXPECT_EQ(climbed("unknown"), "");
}

// Foreign keys are off as in a database that another program wrote.
TEST_F(MessageTableTest, ADamagedTreeIsClimbedToItsEnd) {
  table_.insert("c", sample_question("1", ""));
  table_.insert("c", sample_answer("2", "1"));
  database_.execute("PRAGMA foreign_keys = OFF; UPDATE messages SET parent = '2' WHERE id = '1'");
  EXPECT_EQ(climbed("2"), "2 1 ");  // not round and round
  database_.execute("UPDATE messages SET parent = 'gone' WHERE id = '2'");
  EXPECT_EQ(climbed("2"), "2 ");
}

TEST_F(MessageTableTest, InterruptedAnswersAreThoseThatWereStreaming) {
  table_.insert("c", sample_question("q", ""));
  table_.insert("c", sample_answer("a", "q"));
  table_.append("c", "a", "half", {});
  EXPECT_EQ(table_.mark_interrupted(), 1u);
  EXPECT_EQ(table_.mark_interrupted(), 0u);
  EXPECT_EQ(table_.find("c", "a")->status, MessageStatus::interrupted);
  EXPECT_EQ(table_.find("c", "a")->epoch, 1);
  EXPECT_EQ(table_.find("c", "q")->epoch, 0);
  EXPECT_EQ(num_parts(), 1);
}

}  // namespace
}  // namespace parley::orchestration::sessions
