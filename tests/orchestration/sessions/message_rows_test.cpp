#include "orchestration/sessions/message_rows.h"

#include <gtest/gtest.h>

#include "tests/orchestration/sessions/sample_data.h"
#include "tests/orchestration/sessions/store_on_disk.h"

namespace parley::orchestration::sessions {
namespace {

TEST(MessageRows, EveryRoleAndStatusHasItsOwnWord) {
  EXPECT_EQ(word_of(Role::system), "system");
  EXPECT_EQ(word_of(Role::user), "user");
  EXPECT_EQ(word_of(Role::assistant), "assistant");
  const std::pair<MessageStatus, std::string_view> statuses[] = {{MessageStatus::complete, "complete"},
                                                                 {MessageStatus::streaming, "streaming"},
                                                                 {MessageStatus::stopped, "stopped"},
                                                                 {MessageStatus::interrupted, "interrupted"},
                                                                 {MessageStatus::failed, "failed"}};
  for (const auto& [status, word] : statuses) EXPECT_EQ(word_of(status), word);
}

TEST(MessageRows, AConversationIsReadInTheOrderOfItsColumns) {
  Database database{std::filesystem::path()};
  Statement select(database, "SELECT 'id', 'title', 'system', 0.5, NULL, 'leaf', 1, 2, 1, '[\"a\",\"b\"]'");
  Query row(select);
  ASSERT_TRUE(row.next());
  const Conversation conversation = read_conversation(row);
  EXPECT_EQ(conversation.id, "id");
  EXPECT_EQ(conversation.title, "title");
  EXPECT_EQ(conversation.settings.system_prompt, "system");
  EXPECT_EQ(conversation.settings.temperature, 0.5);
  EXPECT_EQ(conversation.settings.max_tokens, std::nullopt);
  EXPECT_EQ(conversation.active_leaf, "leaf");
  EXPECT_EQ(conversation.created_at, 1);
  EXPECT_EQ(conversation.updated_at, 2);
  EXPECT_TRUE(conversation.deleted);
  EXPECT_EQ(conversation.settings.tools, (std::vector<std::string>{"a", "b"}));
}

TEST(MessageRows, AMessageIsReadInTheOrderOfItsColumns) {
  Database database{std::filesystem::path()};
  Statement select(database,
                   "SELECT 'id', 'parent', 'assistant', 9, 'text', x'05', 'stopped', 'error', 'length', "
                   "'model', 3, 4, 10, 11, 12, 1.5, 2.5, 3.5, 4.5");
  Query row(select);
  ASSERT_TRUE(row.next());
  const Message message = read_message(row);
  EXPECT_EQ(message.id + message.parent + message.text + message.error, "idparenttexterror");
  EXPECT_EQ(message.role, Role::assistant);
  EXPECT_EQ(message.status, MessageStatus::stopped);
  EXPECT_EQ(message.stop_reason + message.model, "lengthmodel");
  EXPECT_EQ(message.token_ids, std::vector<std::int32_t>{5});
  EXPECT_EQ(message.created_at, 9);
  EXPECT_EQ(message.epoch, 3);
  EXPECT_EQ(message.left_out_turns, 4);
  EXPECT_EQ(message.usage.prompt_tokens, 10);
  EXPECT_EQ(message.usage.cached_tokens, 11);
  EXPECT_EQ(message.usage.completion_tokens, 12);
  EXPECT_EQ(message.timings.first_token_ms, 1.5);
  EXPECT_EQ(message.timings.total_ms, 2.5);
  EXPECT_EQ(message.timings.tokens_per_second, 3.5);
  EXPECT_EQ(message.timings.reasoning_ms, 4.5);
}

class DamagedRow : public StoreOnDisk {
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

TEST_F(DamagedRow, UnreadableTokenIdsCostOnlyTheIds) {
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

TEST_F(DamagedRow, UnreadableTokenIdsOfAPartCostTheIds) {
  auto store = reopen_after("UPDATE answer_parts SET token_ids = x'ffffffffffff' WHERE part = 1");
  const Message answer = store->find_message("c", "a").value();
  EXPECT_EQ(answer.text, "one two three");
  EXPECT_TRUE(answer.token_ids.empty());
}

TEST_F(DamagedRow, AnUnknownStatusIsAFailedMessage) {
  auto store = reopen_after("UPDATE messages SET status = 'thinking' WHERE id = 'a'");
  const Message answer = store->path("c", "a", 10).items.at(1);
  EXPECT_EQ(answer.status, MessageStatus::failed);
  EXPECT_NE(answer.error.find("status 'thinking'"), std::string::npos) << answer.error;
  EXPECT_EQ(answer.text, "one two three");
  EXPECT_EQ(answer.role, Role::assistant);
}

TEST_F(DamagedRow, UnreadableToolsAreAsIfNoneWereChosen) {
  auto store = reopen_after("UPDATE conversations SET tools = '[\"a\", 3]'");
  EXPECT_EQ(store->find("c")->settings.tools, std::nullopt);
}

TEST_F(DamagedRow, AnUnknownRoleIsAFailedMessage) {
  auto store = reopen_after("UPDATE messages SET role = 'oracle' WHERE id = 'q'");
  const Message question = store->path("c", "a", 10).items.at(0);
  EXPECT_EQ(question.status, MessageStatus::failed);
  EXPECT_NE(question.error.find("role 'oracle'"), std::string::npos) << question.error;
  EXPECT_EQ(question.text, "question");
}

}  // namespace
}  // namespace parley::orchestration::sessions
