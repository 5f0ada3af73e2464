// An answer from its first token to its last commit.
#include "orchestration/turn/running_turn.h"

#include <gtest/gtest.h>

#include <exception>

#include "tests/orchestration/turn/core_fixture.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using RunningTurnTest = HubTest;

TEST_F(RunningTurnTest, IsStreamedToSubscribersAndStored) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  const auto answer = send_and_wait(id, 10, "Say hello");
  io_.run_until([&] {
    return !client.view().messages.empty() && client.view().last().status == MessageStatus::complete;
  });
  const auto& messages = client.view().messages;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].id, test_uuid(10));
  EXPECT_EQ(messages[0].text, "Say hello");
  EXPECT_EQ(messages[1].id, answer);
  EXPECT_EQ(messages[1].parent, test_uuid(10));
  EXPECT_EQ(messages[1].text, "Hello");
  EXPECT_EQ(messages[1].model, "scripted");
  EXPECT_EQ(messages[1].stop_reason, "stop");
  EXPECT_EQ(messages[1].usage.completion_tokens, 2);
  EXPECT_TRUE(messages[1].token_ids.empty());

  const Message kept = stored(id, answer);
  EXPECT_EQ(kept.text, "Hello");
  EXPECT_EQ(kept.token_ids, (std::vector<std::int32_t>{1000, 1001}));
  EXPECT_EQ(kept.status, MessageStatus::complete);
  EXPECT_EQ(kept.usage.prompt_tokens, 7);
  EXPECT_GE(kept.timings.total_ms, 2);
}

TEST_F(RunningTurnTest, ReasoningIsShownAndNextTimeGivenApart) {
  const auto id = create();
  ChatScript script;
  script.reasoning = "Hm.";
  script.pieces = {"Hel", "lo"};
  script.pause = std::chrono::milliseconds(2);
  answer_with(script);
  const Message kept = stored(id, send_and_wait(id, 10));
  EXPECT_EQ(kept.text, "<think>Hm.</think>\n\nHello");
  EXPECT_GE(kept.timings.reasoning_ms, 2);
  script.reasoning.clear();
  answer_with(script);
  const Message without = stored(id, send_and_wait(id, 11));
  EXPECT_EQ(without.timings.reasoning_ms, 0);
  EXPECT_EQ(model_.requests.back().messages.at(1).reasoning, "Hm.");
  EXPECT_EQ(model_.requests.back().messages.at(1).text, "Hello");
}

TEST_F(RunningTurnTest, ReasoningWithoutAnAnswerIsClosed) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  ChatScript script;
  script.reasoning = "Hm.";
  answer_with(script);
  EXPECT_EQ(stored(id, send_and_wait(id, 10)).text, "<think>Hm.</think>\n\n");
  io_.run_until([&] { return client.view().last().status == MessageStatus::complete; });
  EXPECT_EQ(client.view().last().text, "<think>Hm.</think>\n\n");
}

TEST_F(RunningTurnTest, TheQuestionIsStoredBeforeTheModelIsAsked) {
  const auto id = create();
  bool was_stored = false;
  model_.answer = [&](const ChatRequest&) {
    was_stored = stored(id, test_uuid(10)).text == "hello";
    return ChatScript();
  };
  send_and_wait(id, 10);
  EXPECT_TRUE(was_stored);
}

TEST_F(RunningTurnTest, GrowingTextIsStoredBeforeItsEnd) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"first ", "second"};
  script.until_cancelled = true;
  answer_with(script);
  const auto answer = send(id, 10);
  io_.run_until([&] { return stored(id, answer).text == "first second"; });
  EXPECT_EQ(stored(id, answer).status, MessageStatus::streaming);
  EXPECT_EQ(stored(id, answer).token_ids.size(), 2u);
}

TEST_F(RunningTurnTest, TheModelSeesTheHistoryWithItsTokenIds) {
  const auto id = create();
  send_and_wait(id, 10, "one");
  send_and_wait(id, 11, "two");
  const auto& messages = model_.requests.at(1).messages;
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1].text, "Hello");
  EXPECT_EQ(messages[1].token_ids, (std::vector<std::int32_t>{1000, 1001}));
  EXPECT_EQ(messages[2].text, "two");
}

TEST_F(RunningTurnTest, ARejectionBecomesAFailedAnswerThatCanBeRetried) {
  const auto id = create();
  ChatScript script;
  script.rejection.emplace();
  script.rejection->message = "The prompt has 9000 tokens, but the model takes at most 8191.";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  EXPECT_EQ(look(id).last().status, MessageStatus::failed);
  EXPECT_EQ(look(id).last().error, script.rejection->message);
  EXPECT_EQ(stored(id, answer).status, MessageStatus::failed);

  answer_with({"now"});
  io_.run(hub_->regenerate(test_uuid(20), id, answer));
  wait_for_end(id);
  EXPECT_EQ(look(id).last().text, "now");
}

TEST_F(RunningTurnTest, AFailureInTheMiddleKeepsWhatWasGenerated) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"half"};
  script.error = "The model stopped working.";
  answer_with(script);
  send_and_wait(id, 10);
  EXPECT_EQ(look(id).last().text, "half");
  EXPECT_EQ(look(id).last().error, "The model stopped working.");

  script.error = "";
  script.throws = "device lost";
  answer_with(script);
  const auto thrown = send_and_wait(id, 11);
  EXPECT_EQ(look(id).last().status, MessageStatus::failed);
  EXPECT_EQ(look(id).last().error, "The answer failed: device lost");
  EXPECT_EQ(stored(id, thrown).text, "half");

  script.throws_at_start = "no memory";
  answer_with(script);
  send_and_wait(id, 12);
  EXPECT_EQ(look(id).last().error, "The answer failed: no memory");
  EXPECT_EQ(model_.num_streams(), 0);
}

// Its text cannot even be copied: an exception where the turn expects none, as when memory has run out.
class Nameless : public std::exception {
 public:
  const char* what() const noexcept override { return nullptr; }
};

TEST_F(RunningTurnTest, AnExceptionWhereNoneIsExpectedEndsTheTurnNotTheServer) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  model_.answer = [](const ChatRequest&) -> ChatScript { throw Nameless(); };
  const auto answer = send_and_wait(id, 10);
  io_.run_until([&] { return client.view().last().status == MessageStatus::failed; });
  EXPECT_EQ(client.view().last().error.find("The answer failed inside the server"), 0u);
  EXPECT_EQ(stored(id, answer).status, MessageStatus::failed);
  ASSERT_EQ(logged_.size(), 1u);
  EXPECT_EQ(logged_[0].find("an answer failed inside the server: "), 0u) << logged_[0];
  answer_with({"fine"});
  send_and_wait(id, 11);
  EXPECT_EQ(look(id).last().text, "fine");
}

TEST_F(RunningTurnTest, AQuestionThatWasNotAnsweredStaysATurnOfItsOwn) {
  const auto id = create();
  ChatScript script;
  script.rejection.emplace();
  answer_with(script);
  send_and_wait(id, 10, "one");
  answer_with({"yes"});
  send_and_wait(id, 11, "two");
  const auto& messages = model_.requests.back().messages;
  ASSERT_EQ(messages.size(), 2u);  // the prompt joins them, or leaves out the first
  EXPECT_EQ(messages[0].text, "one");
  EXPECT_EQ(messages[1].text, "two");
}

TEST_F(RunningTurnTest, WhatWasLeftOutIsSaidAndGivenToTheNextTurn) {
  const auto id = create();
  ChatScript script;
  script.left_out_turns = 3;
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  EXPECT_EQ(stored(id, answer).left_out_turns, 3);
  EXPECT_EQ(look(id).last().left_out_turns, 3);
  send_and_wait(id, 11);
  EXPECT_EQ(model_.requests.back().left_out_before, 3);
}

TEST_F(RunningTurnTest, ManyConversationsAnswerAtOnce) {
  ChatScript script;
  script.pause = std::chrono::microseconds(200);
  for (int i = 0; i < 20; ++i) script.pieces.push_back("piece ");
  answer_with(script);
  for (int n = 1; n <= 50; ++n) send(create(n), 100 + n);
  for (int n = 1; n <= 50; ++n) wait_for_end(test_uuid(n));
  for (int n = 1; n <= 50; ++n) EXPECT_EQ(look(test_uuid(n)).last().text.size(), 120u);
}

class TurnAlone : public CoreTest {
 protected:
  // A turn whose question and empty answer are stored.
  TurnPtr stored_turn(const LivePtr& live) {
    auto turn = std::make_shared<RunningTurn>(core_->executor);
    Message question;
    question.id = turn->history_leaf = "q";
    question.text = "hello";
    turn->answer.id = "a";
    turn->answer.parent = "q";
    turn->answer.role = sessions::Role::assistant;
    turn->answer.status = MessageStatus::streaming;
    store().add_turn(live->record.id, "", question, turn->answer);
    return turn;
  }
};

TEST_F(TurnAlone, TheFirstReasonToStopCounts) {
  RunningTurn turn(core_->executor);
  turn.request_stop(MessageStatus::interrupted);
  turn.request_stop(MessageStatus::stopped);
  EXPECT_EQ(turn.stop_requested, MessageStatus::interrupted);
}

TEST_F(TurnAlone, ATurnThatWasStoppedDoesNotAskTheModel) {
  const LivePtr live = open("c");
  const TurnPtr turn = stored_turn(live);
  turn->request_stop(MessageStatus::stopped);
  EXPECT_FALSE(io_.run(ask_model(core_, live, turn)));
  EXPECT_EQ(turn->stream, nullptr);
  EXPECT_TRUE(model_.requests.empty());
}

TEST_F(TurnAlone, StoppingGivesUpWhenPatienceIsOver) {
  const LivePtr live = open("c");
  const TurnPtr turn = stored_turn(live);  // never started, so it never ends
  EXPECT_FALSE(io_.run(stop_turn(turn, MessageStatus::stopped, std::chrono::milliseconds(1))));
  turn->ended = true;
  EXPECT_TRUE(io_.run(stop_turn(turn, MessageStatus::stopped, std::chrono::hours(1))));
}

TEST_F(TurnAlone, WithoutAnUnsavedAnswerThereIsNothingToSave) {
  const LivePtr live = open("c");
  io_.run(save_unsaved(core_, live));
  io_.run(save_unsaved_at_last(core_, live));
  EXPECT_EQ(live->log.last_sequence(), 0u);
}

}  // namespace
}  // namespace parley::orchestration::turn
