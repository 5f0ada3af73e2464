// What every store promises of the commands that its changes carry; run over the one on disk and the one in
// memory.
#include <gtest/gtest.h>

#include <functional>

#include "orchestration/sessions/sqlite_store.h"
#include "tests/fakes/memory_store.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/sessions/sample_data.h"

namespace parley::orchestration::sessions {
namespace {

class StoreCommandsTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    StoreReport report;
    store_ = std::string(GetParam()) == "sqlite" ? open_sqlite_store(folder_.path() / "data", report)
                                                 : tests::fakes::make_memory_store();
    store_->create(sample_conversation("c"));
    store_->add_turn("c", "title", sample_question("q", ""), sample_answer("a", "q"));
  }

  // All that a change of this file's tests could have changed.
  std::string state() {
    std::string words;
    for (const Conversation& conversation : store_->list(std::nullopt, 100).items) {
      words += conversation.id + " " + conversation.title + " " + conversation.active_leaf + ": ";
      for (const Message& message : store_->path(conversation.id, conversation.active_leaf, 100).items)
        words += message.id + " '" + message.text + "' ";
    }
    return words;
  }

  using Change = std::function<bool(const SessionStore::MaybeCommand&)>;
  // Every change that can carry a command.
  std::vector<std::pair<std::string, Change>> changes() {
    Conversation renamed = *store_->find("c");
    renamed.title = "renamed";
    Message grown = *store_->find_message("c", "a");
    grown.text = "grown";
    return {
        {"create", [&](const auto& command) { return store_->create(sample_conversation("d"), command); }},
        {"update", [&, renamed](const auto& command) { return store_->update(renamed, command); }},
        {"update_message",
         [&, grown](const auto& command) { return store_->update_message("c", grown, command); }},
        {"add_message",
         [&](const auto& command) { return store_->add_message("c", sample_answer("b", "q"), command); }},
        {"add_turn",
         [&](const auto& command) {
           return store_->add_turn("c", "t", sample_question("q2", "a"), sample_answer("a2", "q2"), command);
         }},
    };
  }

  tests::fakes::TempDirectory folder_;
  std::unique_ptr<SessionStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Stores, StoreCommandsTest, testing::Values("sqlite", "memory"),
                         [](const auto& suite) { return std::string(suite.param); });

TEST_P(StoreCommandsTest, AChangeIsRememberedWithItsCommand) {
  for (const auto& [name, change] : changes()) {
    EXPECT_FALSE(store_->find_command(name)) << name;
    const std::string before = state();
    AppliedCommand command = sample_command(name, 5);
    command.message = "of " + name;
    EXPECT_TRUE(change(command)) << name;
    EXPECT_NE(state(), before) << name;
    ASSERT_TRUE(store_->find_command(name)) << name;
    EXPECT_EQ(store_->find_command(name)->message, "of " + name);
    EXPECT_EQ(store_->find_command(name)->content_hash, command.content_hash);
    EXPECT_EQ(store_->find_command(name)->applied_at, 5);
  }
}

TEST_P(StoreCommandsTest, AChangeWhoseCommandIsKnownChangesNothing) {
  EXPECT_TRUE(store_->remember(sample_command("known")));
  EXPECT_FALSE(store_->remember(sample_command("known")));
  AppliedCommand again = sample_command("known");
  again.message = "other";
  const std::string before = state();
  for (const auto& [name, change] : changes()) {
    EXPECT_FALSE(change(again)) << name;
    EXPECT_EQ(state(), before) << name;
  }
  EXPECT_EQ(store_->find_command("known")->message, "");
}

TEST_P(StoreCommandsTest, AChangeThatIsRefusedLeavesNoCommand) {
  const SessionStore::MaybeCommand command = sample_command("refused");
  EXPECT_FALSE(store_->create(sample_conversation("c"), command));
  EXPECT_FALSE(store_->update(sample_conversation("unknown"), command));
  EXPECT_FALSE(store_->add_message("c", sample_answer("a", "q"), command));
  EXPECT_FALSE(store_->add_turn("c", "t", sample_question("q", ""), sample_answer("a2", "q"), command));
  EXPECT_FALSE(store_->add_turn("c", "t", sample_question("q2", "a"), sample_answer("a", "q2"), command));
  EXPECT_FALSE(store_->find_command("refused"));
}

TEST_P(StoreCommandsTest, AChangeThatFailsLeavesNoCommand) {
  const SessionStore::MaybeCommand command = sample_command("failed");
  EXPECT_THROW(store_->add_message("c", sample_answer("x", "unknown"), command), StoreError);
  EXPECT_THROW(store_->add_message("unknown", sample_answer("x", ""), command), StoreError);
  EXPECT_THROW(store_->add_turn("c", "t", sample_question("x", "unknown"), sample_answer("y", "x"), command),
               StoreError);
  EXPECT_THROW(store_->update_message("c", sample_answer("unknown", "q"), command), StoreError);
  EXPECT_FALSE(store_->find_command("failed"));
  EXPECT_TRUE(store_->add_message("c", sample_answer("x", "q"), command));
}

TEST_P(StoreCommandsTest, IdsOfCommandsAndMessagesAreApart) {
  EXPECT_TRUE(store_->remember(sample_command("a")));  // a message's id
  EXPECT_TRUE(store_->remember(sample_command("c")));  // a conversation's
  EXPECT_TRUE(store_->remember(sample_command("m")));
  EXPECT_TRUE(store_->add_message("c", sample_answer("m", "q"), sample_command("m2")));
  EXPECT_FALSE(store_->find_command("q"));
}

}  // namespace
}  // namespace parley::orchestration::sessions
