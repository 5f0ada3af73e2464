// What every store promises; run over the one on disk and the one in memory.
#include "orchestration/sessions/session_store.h"

#include <gtest/gtest.h>

#include "orchestration/sessions/sqlite_store.h"
#include "tests/fakes/memory_store.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

class SessionStoreTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    StoreReport report;
    store_ = std::string(GetParam()) == "sqlite" ? open_sqlite_store(folder_.path() / "data", report)
                                                 : tests::fakes::make_memory_store();
    ASSERT_TRUE(store_->create(sample_conversation("c")));
  }

  std::vector<std::string> ids(const MessagePage& page) {
    std::vector<std::string> result;
    for (const Message& message : page.items) result.push_back(message.id);
    return result;
  }
  std::vector<std::string> ids(const ConversationPage& page) {
    std::vector<std::string> result;
    for (const Conversation& conversation : page.items) result.push_back(conversation.id);
    return result;
  }

  tests::fakes::TempDirectory folder_;
  std::unique_ptr<SessionStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, SessionStoreTest, testing::Values("sqlite", "memory"),
                         [](const auto& suite) { return std::string(suite.param); });

using IdList = std::vector<std::string>;

TEST_P(SessionStoreTest, GivesBackAConversationAsItWasCreated) {
  Conversation conversation = sample_conversation("d", 77);
  conversation.title = "Größe \xF0\x9F\x98\x80 \"quoted\"; DROP TABLE messages";
  conversation.settings.system_prompt = std::string("with a NUL \0 inside", 18);
  conversation.settings.temperature = 0.25;
  conversation.settings.max_tokens = 123;
  conversation.settings.tools = {"weather", "Gr\xC3\xB6\xC3\x9F\"e"};
  conversation.updated_at = 99;
  ASSERT_TRUE(store_->create(conversation));
  const auto found = store_->find("d");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->title, conversation.title);
  EXPECT_EQ(found->settings.system_prompt, conversation.settings.system_prompt);
  EXPECT_EQ(found->settings.temperature, 0.25);
  EXPECT_EQ(found->settings.max_tokens, 123);
  EXPECT_EQ(found->settings.tools, conversation.settings.tools);
  EXPECT_EQ(found->active_leaf, "");
  EXPECT_EQ(found->created_at, 77);
  EXPECT_EQ(found->updated_at, 99);
  EXPECT_FALSE(found->deleted);
}

TEST_P(SessionStoreTest, KeepsTheFirstOfTwoConversationsWithOneId) {
  Conversation again = sample_conversation("c");
  again.title = "other";
  EXPECT_FALSE(store_->create(again));
  EXPECT_EQ(store_->find("c")->title, "");
  EXPECT_EQ(store_->find("c")->settings.temperature, std::nullopt);
  EXPECT_EQ(store_->find("c")->settings.tools, std::nullopt);
  EXPECT_EQ(store_->find("unknown"), std::nullopt);
}

TEST_P(SessionStoreTest, UpdatesEverythingButTheTimeOfCreation) {
  Conversation changed = sample_conversation("c", 5);
  changed.title = "new";
  changed.settings.max_tokens = 9;
  changed.deleted = true;
  changed.settings.tools.emplace();  // none is switched on
  EXPECT_TRUE(store_->update(changed));
  const auto found = store_->find("c");
  EXPECT_EQ(found->title, "new");
  EXPECT_EQ(found->settings.max_tokens, 9);
  EXPECT_TRUE(found->deleted);
  EXPECT_EQ(found->settings.tools, std::vector<std::string>());
  EXPECT_EQ(found->updated_at, 5);
  EXPECT_EQ(found->created_at, 1000);
  EXPECT_FALSE(store_->update(sample_conversation("unknown")));
}

TEST_P(SessionStoreTest, ListsNewestUpdateFirstInPagesWithoutDeletedOnes) {
  for (int i = 0; i < 5; ++i) store_->create(sample_conversation("p" + std::to_string(i), 2000 + i / 2));
  Conversation gone = sample_conversation("gone", 9000);
  gone.deleted = true;
  store_->create(gone);

  const auto first = store_->list(std::nullopt, 2);
  EXPECT_EQ(ids(first), (IdList{"p4", "p3"}));
  EXPECT_TRUE(first.more);
  const auto second = store_->list(std::pair(first.items[1].updated_at, first.items[1].id), 2);
  EXPECT_EQ(ids(second), (IdList{"p2", "p1"}));  // p3 and p2 share their time of update
  EXPECT_TRUE(second.more);
  const auto last = store_->list(std::pair(second.items[1].updated_at, second.items[1].id), 2);
  EXPECT_EQ(ids(last), (IdList{"p0", "c"}));
  EXPECT_FALSE(last.more);
}

TEST_P(SessionStoreTest, GivesBackAMessageAsItWasAdded) {
  Message message = sample_message("m", "", Role::assistant, std::string("a\0b\xED\xA0\x80", 6), 42);
  message.status = MessageStatus::failed;
  message.error = "no";
  message.stop_reason = "length";
  message.model = "toy";
  message.token_ids = {0, 1, 127, 128, 151'643, INT32_MAX, -1};
  message.usage = {.prompt_tokens = 1, .cached_tokens = 2, .completion_tokens = 3};
  message.timings = {.first_token_ms = 1.5, .total_ms = 2.5, .tokens_per_second = 3.5, .reasoning_ms = 4.5};
  message.left_out_turns = 4;
  message.epoch = 5;
  ASSERT_TRUE(store_->add_message("c", message));
  const auto found = store_->find_message("c", "m");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->parent, "");
  EXPECT_EQ(found->role, Role::assistant);
  EXPECT_EQ(found->text, message.text);
  EXPECT_EQ(found->status, MessageStatus::failed);
  EXPECT_EQ(found->error, "no");
  EXPECT_EQ(found->stop_reason, "length");
  EXPECT_EQ(found->model, "toy");
  EXPECT_EQ(found->token_ids, message.token_ids);
  EXPECT_EQ(found->usage.prompt_tokens, 1);
  EXPECT_EQ(found->usage.cached_tokens, 2);
  EXPECT_EQ(found->usage.completion_tokens, 3);
  EXPECT_EQ(found->timings.first_token_ms, 1.5);
  EXPECT_EQ(found->timings.total_ms, 2.5);
  EXPECT_EQ(found->timings.tokens_per_second, 3.5);
  EXPECT_EQ(found->timings.reasoning_ms, 4.5);
  EXPECT_EQ(found->left_out_turns, 4);
  EXPECT_EQ(found->epoch, 5);
  EXPECT_EQ(found->created_at, 42);
}

TEST_P(SessionStoreTest, AnAddedMessageBecomesTheLeafAndTouchesTheConversation) {
  store_->add_message("c", sample_message("m1", "", Role::user, "hi", 3000));
  EXPECT_EQ(store_->find("c")->active_leaf, "m1");
  EXPECT_EQ(store_->find("c")->updated_at, 3000);
  store_->add_message("c", sample_message("m2", "m1", Role::assistant, "hi", 50));  // the clock went back
  EXPECT_EQ(store_->find("c")->active_leaf, "m2");
  EXPECT_EQ(store_->find("c")->updated_at, 3000);
}

TEST_P(SessionStoreTest, AMessageIdIsTakenOnceInAllConversations) {
  store_->create(sample_conversation("other"));
  EXPECT_TRUE(store_->add_message("c", sample_question("m", "", "first")));
  EXPECT_FALSE(store_->add_message("c", sample_question("m", "", "second")));
  EXPECT_FALSE(store_->add_message("other", sample_question("m", "", "third")));
  EXPECT_EQ(store_->find_message("c", "m")->text, "first");
  EXPECT_EQ(store_->find_message("other", "m"), std::nullopt);
  EXPECT_EQ(store_->find("other")->active_leaf, "");
}

TEST_P(SessionStoreTest, RefusesMessagesWithoutConversationOrParent) {
  EXPECT_THROW(store_->add_message("unknown", sample_question("m", "")), StoreError);
  EXPECT_THROW(store_->add_message("c", sample_question("m", "unknown")), StoreError);
  store_->create(sample_conversation("other"));
  store_->add_message("other", sample_question("elsewhere", ""));
  EXPECT_THROW(store_->add_message("c", sample_question("m", "elsewhere")), StoreError);
  EXPECT_EQ(store_->find_message("c", "m"), std::nullopt);
  EXPECT_TRUE(store_->add_message("c", sample_question("m", "")));  // the store is still usable
}

TEST_P(SessionStoreTest, AddsATurnAsAWholeOrNotAtAll) {
  EXPECT_TRUE(store_->add_turn("c", "title", sample_question("q1", ""), sample_answer("a1", "q1")));
  EXPECT_EQ(store_->find("c")->active_leaf, "a1");
  EXPECT_EQ(store_->find("c")->title, "title");
  EXPECT_FALSE(store_->add_turn("c", "title", sample_question("q1", "a1"), sample_answer("a2", "q1")));
  EXPECT_FALSE(store_->add_turn("c", "other", sample_question("q2", "a1"), sample_answer("a1", "q2")));
  EXPECT_EQ(store_->find_message("c", "a2"), std::nullopt);
  EXPECT_EQ(store_->find_message("c", "q2"), std::nullopt);
  EXPECT_EQ(store_->find("c")->title, "title");
  EXPECT_THROW(store_->add_turn("c", "title", sample_question("q3", "unknown"), sample_answer("a3", "q3")),
               StoreError);
  EXPECT_EQ(store_->find("c")->active_leaf, "a1");
}

TEST_P(SessionStoreTest, AppendedPiecesAreReadAsOneText) {
  store_->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"));
  store_->append("c", "a", "Hel", {300, 2});
  store_->append("c", "a", "lo", {});
  store_->append("c", "a", "", {70'000});
  for (const Message& message : {*store_->find_message("c", "a"), store_->path("c", "a", 9).items[1]}) {
    EXPECT_EQ(message.text, "Hello");
    EXPECT_EQ(message.token_ids, (std::vector<std::int32_t>{300, 2, 70'000}));
    EXPECT_EQ(message.status, MessageStatus::streaming);
  }
  EXPECT_THROW(store_->append("c", "unknown", "x", {}), StoreError);
  EXPECT_THROW(store_->append("other", "a", "x", {}), StoreError);
}

TEST_P(SessionStoreTest, AnUpdateReplacesThePiecesAndKeepsWhatIsFixed) {
  store_->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"));
  store_->append("c", "a", "draft", {1, 2});
  Message final_answer = sample_message("a", "other-parent", Role::user, "final", 9);
  final_answer.token_ids = {7};
  final_answer.stop_reason = "stop";
  final_answer.timings.reasoning_ms = 4.5;
  store_->update_message("c", final_answer);
  store_->append("c", "a", " and more", {8});
  const auto found = store_->find_message("c", "a");
  EXPECT_EQ(found->text, "final and more");
  EXPECT_EQ(found->token_ids, (std::vector<std::int32_t>{7, 8}));
  EXPECT_EQ(found->status, MessageStatus::complete);
  EXPECT_EQ(found->timings.reasoning_ms, 4.5);
  EXPECT_EQ(found->parent, "q");
  EXPECT_EQ(found->role, Role::assistant);
  EXPECT_EQ(found->created_at, 2000);
  final_answer.id = "unknown";
  EXPECT_THROW(store_->update_message("c", final_answer), StoreError);
}

TEST_P(SessionStoreTest, APathFollowsOneBranchAndPages) {
  store_->add_turn("c", "title", sample_question("q1", ""), sample_answer("a1", "q1"));
  store_->add_turn("c", "title", sample_question("q2", "a1"), sample_answer("a2", "q2"));
  store_->add_message("c", sample_answer("a2b", "q2"));
  store_->add_turn("c", "title", sample_question("root2", ""), sample_answer("a3", "root2"));

  EXPECT_EQ(ids(store_->path("c", "a2", 10)), (IdList{"q1", "a1", "q2", "a2"}));
  EXPECT_FALSE(store_->path("c", "a2", 10).more);
  EXPECT_FALSE(store_->path("c", "a2", 4).more);
  EXPECT_EQ(ids(store_->path("c", "a2b", 3)), (IdList{"a1", "q2", "a2b"}));
  EXPECT_TRUE(store_->path("c", "a2b", 3).more);
  EXPECT_EQ(ids(store_->path("c", "a3", SIZE_MAX)), (IdList{"root2", "a3"}));
  EXPECT_EQ(ids(store_->path("c", "unknown", 3)), IdList{});
  EXPECT_EQ(ids(store_->path("c", "", 3)), IdList{});
  EXPECT_EQ(ids(store_->path("other", "a2", 3)), IdList{});
  EXPECT_EQ(ids(store_->path("c", "a2", 0)), IdList{});
  EXPECT_TRUE(store_->path("c", "a2", 0).more);
}

TEST_P(SessionStoreTest, InterruptedAnswersKeepTheirTextAndGetANewEpoch) {
  store_->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"));
  store_->append("c", "a", "half", {4});
  Message complete = sample_answer("b", "q");
  complete.status = MessageStatus::complete;
  store_->add_message("c", complete);
  EXPECT_EQ(store_->mark_interrupted(), 1u);
  EXPECT_EQ(store_->mark_interrupted(), 0u);
  const auto answer = store_->find_message("c", "a");
  EXPECT_EQ(answer->status, MessageStatus::interrupted);
  EXPECT_EQ(answer->text, "half");
  EXPECT_EQ(answer->token_ids, std::vector<std::int32_t>{4});
  EXPECT_EQ(answer->epoch, 1);
  EXPECT_EQ(store_->find_message("c", "b")->epoch, 0);
  EXPECT_EQ(store_->find("c")->active_leaf, "b");
}

TEST_P(SessionStoreTest, HoldsAMessageOfManyMegabytes) {
  const std::string text(5u << 20, 'x');
  store_->add_message("c", sample_question("big", "", text));
  EXPECT_EQ(store_->find_message("c", "big")->text, text);
}

}  // namespace
}  // namespace parley::orchestration::sessions
