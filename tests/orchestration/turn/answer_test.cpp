// Sending, answering, generating again.
#include <gtest/gtest.h>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using Answer = HubTest;

TEST_F(Answer, IsStreamedToSubscribersAndStored) {
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

TEST_F(Answer, TheQuestionIsStoredBeforeTheModelIsAsked) {
  const auto id = create();
  bool was_stored = false;
  model_.answer = [&](const ChatRequest&) {
    was_stored = stored(id, test_uuid(10)).text == "hello";
    return ChatScript();
  };
  send_and_wait(id, 10);
  EXPECT_TRUE(was_stored);
}

TEST_F(Answer, GrowingTextIsStoredBeforeItsEnd) {
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

TEST_F(Answer, TheModelSeesTheHistoryWithItsTokenIds) {
  const auto id = create();
  send_and_wait(id, 10, "one");
  send_and_wait(id, 11, "two");
  const auto& messages = model_.requests.at(1).messages;
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1].text, "Hello");
  EXPECT_EQ(messages[1].token_ids, (std::vector<std::int32_t>{1000, 1001}));
  EXPECT_EQ(messages[2].text, "two");
}

TEST_F(Answer, AnEmptyTitleIsTakenFromTheFirstQuestion) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send_and_wait(id, 10, "\n  What is\tthe time?\nTell me.");
  EXPECT_EQ(stored(id).title, "What is the time?");
  io_.run_until([&] { return client.view().summary.conversation.title == "What is the time?"; });
  send_and_wait(id, 11, "other");
  EXPECT_EQ(stored(id).title, "What is the time?");
}

TEST_F(Answer, SendingTwiceIsSendingOnce) {
  const auto id = create();
  const auto answer = send_and_wait(id, 10);
  EXPECT_EQ(send(id, 10), answer);
  EXPECT_EQ(model_.requests.size(), 1u);
  EXPECT_EQ(look(id).messages.size(), 2u);
  EXPECT_EQ(error_of(try_send(id, 10, "something else")).code, Code::conflict);
  const auto other = create(2);
  EXPECT_EQ(error_of(try_send(other, 10)).code, Code::conflict);
  send_and_wait(other, 11);
}

TEST_F(Answer, ARepeatedSendDuringTheAnswerGetsTheSameAnswer) {
  const auto id = create();
  ChatScript script;
  script.until_cancelled = true;
  answer_with(script);
  const auto answer = send(id, 10);
  EXPECT_EQ(send(id, 10), answer);
  const auto busy = error_of(try_send(id, 11));
  EXPECT_EQ(busy.code, Code::busy);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate(test_uuid(12), id, answer))).code, Code::busy);
  EXPECT_TRUE(hub_->answering(id));
}

TEST_F(Answer, MessagesAreChecked) {
  const auto id = create();
  EXPECT_EQ(error_of(try_send(id, 10, "")).code, Code::invalid);
  EXPECT_EQ(error_of(try_send(id, 10, " \n\t")).code, Code::invalid);
  EXPECT_EQ(error_of(try_send(id, 10, "\xc0\x80")).code, Code::invalid);
  EXPECT_EQ(error_of(try_send(id, 10, std::string((1u << 20) + 1, 'x'))).code, Code::too_long);
  EXPECT_EQ(error_of(try_send(id, 10, "hello", "unknown")).code, Code::not_found);
  EXPECT_TRUE(look(id).messages.empty());
  send_and_wait(id, 10, std::string(1u << 20, 'x'));
}

TEST_F(Answer, ASendUnderAnEarlierMessageBeginsABranch) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  const auto first = send_and_wait(id, 10, "one");
  send_and_wait(id, 11, "two");
  value_of(try_send(id, 12, "other two", first));
  wait_for_end(id);
  EXPECT_EQ(look(id).messages.size(), 4u);
  EXPECT_EQ(look(id).messages[2].text, "other two");
  value_of(try_send(id, 13, "other one", ""));
  wait_for_end(id);
  io_.run_until([&] { return client.view().messages.size() == 2; });
  EXPECT_EQ(client.view().messages[0].text, "other one");
  EXPECT_EQ(model_.requests.back().messages.size(), 1u);
}

TEST_F(Answer, RegeneratingGivesASibling) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  const auto first = send_and_wait(id, 10);
  answer_with({"Other"});
  const auto second = value_of(io_.run(hub_->regenerate(test_uuid(20), id, first)));
  EXPECT_EQ(second, test_uuid(20));
  wait_for_end(id);
  EXPECT_EQ(value_of(io_.run(hub_->regenerate(test_uuid(20), id, first))), second);
  EXPECT_EQ(model_.requests.size(), 2u);
  EXPECT_EQ(model_.requests[1].messages.size(), 1u);
  EXPECT_EQ(stored(id, first).text, "Hello");
  EXPECT_EQ(look(id).last().text, "Other");
  io_.run_until([&] { return client.view().last().text == "Other"; });
  EXPECT_EQ(client.view().messages.size(), 2u);

  EXPECT_EQ(error_of(io_.run(hub_->regenerate(test_uuid(21), id, test_uuid(10)))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate(test_uuid(21), id, "unknown"))).code, Code::not_found);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate(test_uuid(10), id, first))).code, Code::conflict);
  EXPECT_EQ(error_of(io_.run(hub_->regenerate("x", id, first))).code, Code::invalid);
}

TEST_F(Answer, ARejectionBecomesAFailedAnswerThatCanBeRetried) {
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

TEST_F(Answer, AFailureInTheMiddleKeepsWhatWasGenerated) {
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

TEST_F(Answer, AnExceptionWhereNoneIsExpectedEndsTheTurnNotTheServer) {
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

TEST_F(Answer, FailedQuestionsAreJoinedWithTheNext) {
  const auto id = create();
  ChatScript script;
  script.rejection.emplace();
  answer_with(script);
  send_and_wait(id, 10, "one");
  answer_with({"yes"});
  send_and_wait(id, 11, "two");
  ASSERT_EQ(model_.requests.back().messages.size(), 1u);
  EXPECT_EQ(model_.requests.back().messages[0].text, "one\n\ntwo");
}

TEST_F(Answer, WhatWasLeftOutIsSaidAndGivenToTheNextTurn) {
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

TEST_F(Answer, OlderMessagesComeByPage) {
  options_.snapshot_messages = 3;
  open_hub(sessions::make_memory_store());
  const auto id = create();
  for (int n = 0; n < 4; ++n) send_and_wait(id, 10 + n, "question " + std::to_string(n));
  const auto view = look(id);
  ASSERT_EQ(view.messages.size(), 3u);
  EXPECT_TRUE(view.more);
  const auto page = value_of(io_.run(hub_->older(id, view.messages[0].id, 4)));
  ASSERT_EQ(page.items.size(), 4u);
  EXPECT_TRUE(page.more);
  EXPECT_EQ(page.items[3].id, view.messages[0].parent);
  EXPECT_TRUE(page.items[3].token_ids.empty());
  const auto last = value_of(io_.run(hub_->older(id, page.items[0].id, 4)));
  ASSERT_EQ(last.items.size(), 1u);
  EXPECT_EQ(last.items[0].text, "question 0");
  EXPECT_FALSE(last.more);
  EXPECT_TRUE(value_of(io_.run(hub_->older(id, last.items[0].id, 4))).items.empty());
  EXPECT_EQ(error_of(io_.run(hub_->older(id, "unknown", 4))).code, Code::not_found);
}

TEST_F(Answer, ASnapshotFitsIntoAFrame) {
  const auto id = create();
  for (int n = 0; n < 6; ++n) send_and_wait(id, 10 + n, std::string(1u << 20, 'x'));
  const auto view = look(id);
  EXPECT_TRUE(view.more);
  EXPECT_LT(view.messages.size(), 10u);
  EXPECT_EQ(view.last().text, "Hello");
}

TEST_F(Answer, ManyConversationsAnswerAtOnce) {
  ChatScript script;
  script.pause = std::chrono::microseconds(200);
  for (int i = 0; i < 20; ++i) script.pieces.push_back("piece ");
  answer_with(script);
  for (int n = 1; n <= 50; ++n) send(create(n), 100 + n);
  for (int n = 1; n <= 50; ++n) wait_for_end(test_uuid(n));
  for (int n = 1; n <= 50; ++n) EXPECT_EQ(look(test_uuid(n)).last().text.size(), 120u);
}

}  // namespace
}  // namespace parley::orchestration::turn
