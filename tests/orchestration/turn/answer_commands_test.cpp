// send, regenerate, continue. (Stopping has its own file.)
#include "orchestration/turn/answer_commands.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using AnswerCommands = HubTest;

TEST_F(AnswerCommands, AnEmptyTitleIsTakenFromTheFirstQuestion) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send_and_wait(id, 10, "\n  What is\tthe time?\nTell me.");
  EXPECT_EQ(stored(id).title, "What is the time?");
  io_.run_until([&] { return client.view().summary.conversation.title == "What is the time?"; });
  send_and_wait(id, 11, "other");
  EXPECT_EQ(stored(id).title, "What is the time?");
}

TEST_F(AnswerCommands, SendingTwiceIsSendingOnce) {
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

TEST_F(AnswerCommands, ARepeatedSendDuringTheAnswerGetsTheSameAnswer) {
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

TEST_F(AnswerCommands, MessagesAreChecked) {
  const auto id = create();
  EXPECT_EQ(error_of(try_send(id, 10, "")).code, Code::invalid);
  EXPECT_EQ(error_of(try_send(id, 10, " \n\t")).code, Code::invalid);
  EXPECT_EQ(error_of(try_send(id, 10, "\xc0\x80")).code, Code::invalid);
  EXPECT_EQ(error_of(try_send(id, 10, std::string((1u << 20) + 1, 'x'))).code, Code::too_long);
  EXPECT_EQ(error_of(try_send(id, 10, "hello", "unknown")).code, Code::not_found);
  EXPECT_TRUE(look(id).messages.empty());
  send_and_wait(id, 10, std::string(1u << 20, 'x'));
}

TEST_F(AnswerCommands, ASendUnderAnEarlierMessageBeginsABranch) {
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

TEST_F(AnswerCommands, RegeneratingGivesASibling) {
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

// Going on with an answer that was cut, stopped or failed.
using Continue = HubTest;

TEST_F(Continue, ACutAnswerGoesOnInTheSameMessage) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  ChatScript script;
  script.pieces = {"one ", "two "};
  script.stop_reason = "length";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  answer_with({"three"});
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  EXPECT_TRUE(hub_->answering(id));
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));  // the same again
  wait_for_end(id);

  const ChatRequest& request = model_.requests.at(1);
  EXPECT_TRUE(request.continue_last);
  ASSERT_EQ(request.messages.size(), 2u);
  EXPECT_EQ(request.messages[1].text, "one two ");
  EXPECT_EQ(request.messages[1].token_ids.size(), 2u);
  const Message kept = stored(id, answer);
  EXPECT_EQ(kept.text, "one two three");
  EXPECT_EQ(kept.token_ids, (std::vector<std::int32_t>{1000, 1001, 1000}));
  EXPECT_EQ(kept.usage.completion_tokens, 3);
  EXPECT_EQ(kept.stop_reason, "stop");
  EXPECT_EQ(kept.epoch, 0);
  io_.run_until([&] { return client.view().last().stop_reason == "stop"; });
  EXPECT_EQ(client.view().last().text, "one two three");
  EXPECT_EQ(client.view().num_snapshots, 1);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, answer))).code, Code::invalid);
}

TEST_F(Continue, TheIdsOfAContinuedAnswerAreThoseOfThePrompt) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"one ", ""};  // the second token is part of a character, which was cut
  script.stop_reason = "length";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  EXPECT_EQ(stored(id, answer).token_ids, (std::vector<std::int32_t>{1000, 1001}));
  script.pieces = {"two"};
  script.continued_ids = {1000};
  answer_with(script);
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(stored(id, answer).text, "one two");
  EXPECT_EQ(stored(id, answer).token_ids, (std::vector<std::int32_t>{1000, 1000}));
}

TEST_F(Continue, AnAnswerThatWasCutInItsReasoningGoesOnThere) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  ChatScript script;
  script.reasoning = "The user";
  script.stop_reason = "length";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  EXPECT_EQ(stored(id, answer).text, "<think>The user");
  script.reasoning = " wants";
  answer_with(script);
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_TRUE(model_.requests.back().continue_last);
  EXPECT_EQ(model_.requests.back().messages.back().reasoning, "The user");
  EXPECT_EQ(model_.requests.back().messages.back().text, "");
  EXPECT_EQ(stored(id, answer).text, "<think>The user wants");

  script.reasoning = " this.";
  script.pieces = {"Here."};
  script.stop_reason = "stop";
  answer_with(script);
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(stored(id, answer).text, "<think>The user wants this.</think>\n\nHere.");
  io_.run_until([&] { return client.view().last().stop_reason == "stop"; });
  EXPECT_EQ(client.view().last().text, "<think>The user wants this.</think>\n\nHere.");
}

TEST_F(Continue, WhatAFailedAnswerHasCanGoOn) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"half"};
  script.error = "The model stopped working.";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  answer_with({" and half"});
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(stored(id, answer).text, "half and half");
  EXPECT_EQ(stored(id, answer).status, MessageStatus::complete);
  EXPECT_EQ(stored(id, answer).error, "");

  script.pieces.clear();
  answer_with(script);
  const auto empty = send_and_wait(id, 11);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, empty))).code, Code::invalid);
}

TEST_F(Continue, AContinueThatCannotBeginLeavesTheAnswerAsItWas) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  ChatScript script;
  script.pieces = {"one ", "two "};
  script.stop_reason = "length";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  io_.run_until([&] { return client.view().last().stop_reason == "length"; });
  const auto seen = client.view().sequence();

  ChatScript refusing;
  refusing.rejection.emplace();
  refusing.rejection->message = "The model is still being loaded.";
  answer_with(refusing);
  const auto refused = io_.run(hub_->continue_answer(test_uuid(30), id, answer));
  EXPECT_EQ(error_of(refused).code, Code::unavailable);
  EXPECT_EQ(error_of(refused).message, "The model is still being loaded.");
  refusing.rejection.reset();
  refusing.throws_at_start = "no memory";
  answer_with(refusing);
  EXPECT_THROW(io_.run(hub_->continue_answer(test_uuid(30), id, answer)), std::runtime_error);

  EXPECT_FALSE(hub_->answering(id));
  const Message kept = stored(id, answer);
  EXPECT_EQ(kept.status, MessageStatus::complete);
  EXPECT_EQ(kept.stop_reason, "length");
  EXPECT_EQ(kept.text, "one two ");
  EXPECT_EQ(kept.token_ids.size(), 2u);
  EXPECT_EQ(client.view().sequence(), seen);

  answer_with({"three"});
  value_of(io_.run(hub_->continue_answer(test_uuid(30), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(stored(id, answer).text, "one two three");
}

TEST_F(Continue, WhatAnotherTabHasBegunIsNotBegunAgainLater) {
  const auto id = create();
  ChatScript script;
  script.pieces = {"one "};
  script.stop_reason = "length";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  value_of(io_.run(hub_->continue_answer(test_uuid(30), id, answer)));
  value_of(io_.run(hub_->continue_answer(test_uuid(31), id, answer)));
  wait_for_end(id);
  for (const int command : {30, 31}) value_of(io_.run(hub_->continue_answer(test_uuid(command), id, answer)));
  EXPECT_FALSE(hub_->answering(id));
  EXPECT_EQ(stored(id, answer).text, "one one ");
}

TEST_F(Continue, OnlyTheNewestCutAnswerCanGoOn) {
  const auto id = create();
  ChatScript script;
  script.stop_reason = "length";
  answer_with(script);
  const auto first = send_and_wait(id, 10);
  send_and_wait(id, 11);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, first))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, test_uuid(11)))).code, Code::invalid);
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, "unknown"))).code, Code::not_found);
}

TEST_F(Continue, AnEmptyCutAnswerBeginsAfresh) {
  const auto id = create();
  ChatScript script;
  script.pieces = {""};  // a token, but no whole character
  script.stop_reason = "length";
  answer_with(script);
  const auto answer = send_and_wait(id, 10);
  answer_with({"text"});
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_FALSE(model_.requests.back().continue_last);
  EXPECT_EQ(model_.requests.back().messages.size(), 1u);
  EXPECT_EQ(stored(id, answer).text, "text");
  EXPECT_EQ(stored(id, answer).token_ids.size(), 1u);
}

}  // namespace
}  // namespace parley::orchestration::turn
