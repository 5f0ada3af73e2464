#include "orchestration/sessions/call_table.h"

#include <gtest/gtest.h>

#include "orchestration/sessions/message_table.h"
#include "orchestration/sessions/session_schema.h"
#include "orchestration/sessions/session_store.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

class CallTableTest : public testing::Test {
 protected:
  CallTableTest() {
    database_.execute("INSERT INTO conversations VALUES ('c', '', '', NULL, NULL, '', 1, 1, 0, NULL)");
    MessageTable messages(database_, table_);
    messages.insert("c", sample_answer("a", ""));
    messages.insert("c", sample_answer("b", "a"));
  }

  static Database migrated() {
    Database database{std::filesystem::path()};
    storage::sqlite::migrate(database, session_schema());
    database.execute("PRAGMA foreign_keys = ON");
    return database;
  }

  std::string ids(const std::string& message) {
    std::string ids;
    for (const ToolCall& call : table_.read(message)) ids += call.id + " ";
    return ids;
  }
  std::int64_t count(const std::string& table) {
    return database_.integer(("SELECT count(*) FROM " + table).c_str());
  }

  Database database_ = migrated();
  CallTable table_{database_};
};

TEST_F(CallTableTest, EveryStateHasItsOwnWord) {
  const std::pair<CallState, std::string_view> states[] = {
      {CallState::writing, "writing"},     {CallState::awaiting_approval, "awaiting_approval"},
      {CallState::running, "running"},     {CallState::done, "done"},
      {CallState::failed, "failed"},       {CallState::denied, "denied"},
      {CallState::cancelled, "cancelled"}, {CallState::interrupted, "interrupted"}};
  for (const auto& [state, word] : states) {
    EXPECT_EQ(word_of(state), word);
    table_.replace("c", "a", {sample_call("1", state)});
    EXPECT_EQ(table_.read("a").at(0).state, state);
  }
}

TEST_F(CallTableTest, CallsStandInTheOrderOfTheLastWriting) {
  table_.replace("c", "a", {sample_call("1"), sample_call("2"), sample_call("3")});
  EXPECT_EQ(ids("a"), "1 2 3 ");
  table_.replace("c", "a", {sample_call("3"), sample_call("4"), sample_call("1")});
  EXPECT_EQ(ids("a"), "3 4 1 ");
  table_.save("c", "a", sample_call("4"));
  table_.save("c", "a", sample_call("5"));
  EXPECT_EQ(ids("a"), "3 4 1 5 ");
  table_.save("c", "b", sample_call("6"));
  EXPECT_EQ(ids("b"), "6 ");
  table_.replace("c", "a", {});
  EXPECT_EQ(ids("a"), "");
  EXPECT_EQ(ids("b"), "6 ");
}

TEST_F(CallTableTest, OutputsAndImagesGoWithTheirCall) {
  ToolCall call = sample_call("1");
  call.output = "long";
  call.images = {{"image/png", "P"}, {"image/gif", "G"}};
  table_.replace("c", "a", {call, sample_call("2")});
  EXPECT_EQ(count("call_outputs"), 1);
  EXPECT_EQ(count("call_images"), 2);
  call.images.pop_back();
  table_.save("c", "a", call);
  EXPECT_EQ(count("call_images"), 1);
  table_.replace("c", "a", {sample_call("2")});
  EXPECT_EQ(count("call_outputs") + count("call_images"), 0);
}

TEST_F(CallTableTest, ACallStaysWithItsMessage) {
  table_.replace("c", "a", {sample_call("1")});
  EXPECT_THROW(table_.replace("c", "b", {sample_call("1")}), StoreError);
  EXPECT_THROW(table_.save("c", "b", sample_call("1")), StoreError);
  EXPECT_THROW(table_.save("c", "unknown", sample_call("2")), StoreError);
  EXPECT_THROW(table_.save("other", "a", sample_call("2")), StoreError);
  EXPECT_EQ(ids("a"), "1 ");
}

TEST_F(CallTableTest, AnUnknownStateIsAFailedCall) {
  table_.replace("c", "a", {sample_call("1")});
  database_.execute("UPDATE calls SET state = 'thinking', preview_words = 'x'");
  const ToolCall call = table_.read("a").at(0);
  EXPECT_EQ(call.state, CallState::failed);
  EXPECT_NE(call.result.find("state 'thinking'"), std::string::npos) << call.result;
  EXPECT_TRUE(call.preview.words.empty());
}

TEST_F(CallTableTest, TheIndexFindsUnfinishedCalls) {
  Statement plan(database_,
                 "EXPLAIN QUERY PLAN UPDATE calls SET state = iif(state = 'running', 'interrupted', "
                 "'cancelled') "
                 "WHERE state IN ('writing', 'running')");
  Query row(plan);
  ASSERT_TRUE(row.next());
  EXPECT_NE(row.text(3).find("calls_unfinished"), std::string::npos) << row.text(3);
}

}  // namespace
}  // namespace parley::orchestration::sessions
