// A store that fails at any moment: the command or the turn ends with a sentence, the hub lives, nothing is
// lost that can still be kept.
#include <gtest/gtest.h>

#include "tests/orchestration/turn/failing_store.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

class StoreFailure : public HubTest {
 protected:
  void SetUp() override {
    auto store = std::make_unique<FailingStore>();
    failing_ = store.get();
    open_hub(std::move(store));
  }
  void TearDown() override {
    failing_->fail_reads = failing_->fail_writes = failing_->fail_appends = false;
    HubTest::TearDown();
  }

  FailingStore* failing_ = nullptr;
};

TEST_F(StoreFailure, ACommandThrowsAndCanBeRepeated) {
  failing_->fail_writes = true;
  EXPECT_THROW(create(), sessions::StoreError);
  failing_->fail_writes = false;
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  failing_->fail_writes = true;
  EXPECT_THROW(send(id, 10), sessions::StoreError);
  EXPECT_THROW(io_.run(hub_->rename(make_uuid(), id, "x")), sessions::StoreError);
  EXPECT_THROW(io_.run(hub_->set_deleted(make_uuid(), id, true)), sessions::StoreError);
  EXPECT_FALSE(hub_->answering(id));
  failing_->fail_writes = false;
  EXPECT_EQ(look(id).summary.conversation.title, "");
  send_and_wait(id, 10);
  EXPECT_EQ(look(id).last().text, "Hello");
  io_.run_until([&] { return client.view().messages.size() == 2; });
}

TEST_F(StoreFailure, AReadThatFailsThrowsToItsReaderOnly) {
  const auto id = create();
  send_and_wait(id, 10);
  failing_->fail_reads = true;
  EXPECT_THROW(look(id), sessions::StoreError);
  EXPECT_THROW(io_.run(hub_->list(std::nullopt, 5)), sessions::StoreError);
  EXPECT_THROW(io_.run(hub_->older(id, test_uuid(10), 5)), sessions::StoreError);
  failing_->fail_reads = false;
  EXPECT_EQ(look(id).messages.size(), 2u);
}

TEST_F(StoreFailure, AnAppendThatFailsEndsTheAnswerWithASentence) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  ChatScript script;
  script.pieces = {"text"};
  script.until_cancelled = true;
  answer_with(script);
  failing_->fail_appends = true;
  const auto answer = send_and_wait(id, 10);
  io_.run_until([&] { return client.view().last().status == MessageStatus::failed; });
  EXPECT_EQ(client.view().last().error, "The answer could not be saved: The disk is full.");
  EXPECT_EQ(client.view().last().text, "text");
  EXPECT_EQ(stored(id, answer).text, "text");  // the last commit worked
  EXPECT_EQ(model_.num_cancelled(), 1);
}

TEST_F(StoreFailure, ALastCommitThatFailsIsShownAndMadeUpForLater) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  ChatScript script;
  script.pieces = {"text"};
  script.until_cancelled = true;
  answer_with(script);
  const auto answer = send(id, 10);
  io_.run_until([&] { return stored(id, answer).text == "text"; });
  failing_->fail_writes = true;
  EXPECT_THROW(io_.run(hub_->stop(make_uuid(), id)), sessions::StoreError);
  io_.run_until([&] { return client.view().last().status == MessageStatus::failed; });
  EXPECT_EQ(client.view().last().error, "The answer could not be saved: The disk is full.");
  EXPECT_EQ(look(id).last().status, MessageStatus::failed);
  EXPECT_EQ(look(id).last().text, "text");
  EXPECT_THROW(send(id, 11), sessions::StoreError);
  EXPECT_EQ(stored(id, answer).status, MessageStatus::streaming);

  failing_->fail_writes = false;
  answer_with({"more"});
  send_and_wait(id, 11);
  EXPECT_EQ(stored(id, answer).status, MessageStatus::stopped);
  EXPECT_EQ(stored(id, answer).text, "text");
  io_.run_until([&] { return client.view().messages.size() == 4 && client.view().last().text == "more"; });
  EXPECT_EQ(client.view().messages[1].status, MessageStatus::stopped);
  EXPECT_EQ(client.view().messages[1].error, "");
}

TEST_F(StoreFailure, AContinueThatCannotBeWrittenLeavesTheAnswerAsItWas) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"text"};
  script.until_cancelled = true;
  answer_with(script);
  const auto answer = send(id, 10);
  io_.run_until([&] { return stored(id, answer).text == "text"; });
  io_.run(hub_->stop(make_uuid(), id));
  failing_->fail_writes = true;
  EXPECT_THROW(io_.run(hub_->continue_answer(make_uuid(), id, answer)), sessions::StoreError);
  failing_->fail_writes = false;
  EXPECT_FALSE(hub_->answering(id));
  EXPECT_EQ(model_.num_streams(), 0);
  EXPECT_EQ(stored(id, answer).status, MessageStatus::stopped);
  EXPECT_EQ(stored(id, answer).stop_reason, "stopped");
  answer_with({" and more"});
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(stored(id, answer).text, "text and more");
}

class UnsavedAtTheEnd : public StoreFailure {
 protected:
  // The store refuses the last words of an answer.
  std::string refuse_the_end(const std::string& conversation) {
    ChatScript script;
    script.pieces = {"text"};
    script.until_cancelled = true;
    answer_with(script);
    const auto answer = send(conversation, 10);
    io_.run_until([&] { return stored(conversation, answer).text == "text"; });
    failing_->fail_writes = true;
    EXPECT_THROW(io_.run(hub_->stop(make_uuid(), conversation)), sessions::StoreError);
    wait_for_end(conversation);  // it is stopped all the same
    EXPECT_EQ(stored(conversation, answer).status, MessageStatus::streaming);
    return answer;
  }
};

TEST_F(UnsavedAtTheEnd, IsSavedWhenTheServerShutsDown) {
  const auto id = create();
  const auto answer = refuse_the_end(id);
  failing_->fail_writes = false;
  io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
  EXPECT_EQ(stored(id, answer).status, MessageStatus::stopped);
  EXPECT_TRUE(logged_.empty());
}

TEST_F(UnsavedAtTheEnd, IsToldTheLogWhenTheStoreStillRefuses) {
  const auto id = create();
  refuse_the_end(id);
  io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
  EXPECT_EQ(logged_, std::vector<std::string>{"the end of an answer could not be saved: The disk is full."});
}

TEST_F(StoreFailure, AHistoryThatCannotBeReadFailsTheAnswer) {
  const auto id = create();
  failing_->fail_reads = false;
  model_.hold_starts = true;
  const auto first = send(id, 10);
  io_.run_until([&] { return model_.requests.size() == 1; });
  failing_->fail_reads = true;  // the next look at the store fails, not this turn
  model_.let_start();
  wait_for_end(id);
  failing_->fail_reads = false;
  EXPECT_EQ(stored(id, first).status, MessageStatus::complete);
}

}  // namespace
}  // namespace parley::orchestration::turn
