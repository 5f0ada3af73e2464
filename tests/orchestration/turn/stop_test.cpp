// Stopping an answer at each moment of its life.
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

class Stop : public HubTest {
 protected:
  ChatScript endless(std::vector<std::string> pieces = {}) {
    ChatScript script;
    script.pieces = std::move(pieces);
    script.until_cancelled = true;
    return script;
  }

  void expect_stopped(const std::string& conversation, const std::string& answer, const std::string& text) {
    EXPECT_FALSE(hub_->answering(conversation));
    const Message kept = stored(conversation, answer);
    EXPECT_EQ(kept.status, MessageStatus::stopped);
    EXPECT_EQ(kept.stop_reason, "stopped");
    EXPECT_EQ(kept.text, text);
    EXPECT_EQ(look(conversation).last().status, MessageStatus::stopped);
    EXPECT_EQ(model_.num_streams(), 0);
  }
};

TEST_F(Stop, WithoutAnAnswerItDoesNothing) {
  const auto id = create();
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  const auto answer = send_and_wait(id, 10);
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  EXPECT_EQ(stored(id, answer).status, MessageStatus::complete);
}

TEST_F(Stop, WhileTheModelIsAsked) {
  const auto id = create();
  model_.hold_starts = true;
  const auto answer = send(id, 10);
  io_.run_until([&] { return model_.requests.size() == 1; });
  bool stopped = false;
  boost::asio::co_spawn(io_.io(), hub_->stop(make_uuid(), id),
                        [&](std::exception_ptr, CommandResult<Done>) { stopped = true; });
  io_.run_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(stopped);  // it waits for the model, which is not asked twice
  model_.let_start();
  io_.run_until([&] { return stopped; });
  expect_stopped(id, answer, "");
  EXPECT_EQ(model_.num_cancelled(), 1);
}

TEST_F(Stop, ByOneCommandOverTwoSocketsIsAnsweredTwice) {
  const auto id = create();
  answer_with(endless({"half"}));
  const auto answer = send(id, 10);
  io_.run_until([&] { return model_.num_streams() == 1; });
  int answered = 0;
  auto note = [&](const std::exception_ptr& failure, const CommandResult<Done>& result) {
    EXPECT_FALSE(failure);
    EXPECT_TRUE(std::holds_alternative<Done>(result));
    EXPECT_FALSE(hub_->answering(id));
    ++answered;
  };
  for (int socket = 0; socket < 2; ++socket)
    boost::asio::co_spawn(io_.io(), hub_->stop(test_uuid(30), id), note);
  io_.run_until([&] { return answered == 2; });
  EXPECT_EQ(stored(id, answer).status, MessageStatus::stopped);
  EXPECT_TRUE(ask_store([](auto& store) { return store.find_command(test_uuid(30)).has_value(); }));
}

TEST_F(Stop, BeforeTheFirstToken) {
  const auto id = create();
  answer_with(endless());
  const auto answer = send(id, 10);
  io_.run_until([&] { return model_.num_streams() == 1; });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  expect_stopped(id, answer, "");
}

TEST_F(Stop, InTheMiddleKeepsTheTextAndGoesOnWhereItStopped) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  answer_with(endless({"half", " an", " answer"}));
  const auto answer = send(id, 10);
  io_.run_until(
      [&] { return !client.view().messages.empty() && client.view().last().text == "half an answer"; });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  expect_stopped(id, answer, "half an answer");

  answer_with({", and the rest"});
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  io_.run_until([&] { return client.view().last().status == MessageStatus::complete; });
  EXPECT_EQ(client.view().last().text, "half an answer, and the rest");
  EXPECT_EQ(stored(id, answer).text, "half an answer, and the rest");
}

TEST_F(Stop, RightAfterTheSend) {
  const auto id = create();
  answer_with(endless({"x"}));
  SendCommand command;
  command.id = test_uuid(10);
  command.conversation = id;
  command.text = "hello";
  bool stopped = false;
  std::string answer;
  boost::asio::co_spawn(
      io_.io(), hub_->send(command),
      [&](std::exception_ptr, CommandResult<std::string> result) { answer = value_of(result); });
  boost::asio::co_spawn(io_.io(), hub_->stop(make_uuid(), id),
                        [&](std::exception_ptr, CommandResult<Done>) { stopped = true; });
  io_.run_until([&] { return stopped; });
  ASSERT_NE(answer, "");
  expect_stopped(id, answer, stored(id, answer).text);
  // The next question follows at once.
  answer_with({"fine"});
  send_and_wait(id, 11);
  EXPECT_EQ(look(id).last().text, "fine");
  EXPECT_EQ(look(id).messages.size(), 4u);
}

TEST_F(Stop, AContinuedAnswer) {
  const auto id = create();
  answer_with(endless({"one"}));
  const auto answer = send(id, 10);
  io_.run_until([&] { return stored(id, answer).text == "one"; });
  io_.run(hub_->stop(make_uuid(), id));
  answer_with(endless({" two"}));
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  io_.run_until([&] { return stored(id, answer).text == "one two"; });
  io_.run(hub_->stop(make_uuid(), id));
  expect_stopped(id, answer, "one two");
}

TEST_F(Stop, AtRandomMoments) {
  const auto id = create();
  ChatScript script;
  script.pause = std::chrono::microseconds(100);
  for (int i = 0; i < 10; ++i) script.pieces.push_back("0123456789");
  answer_with(script);
  for (int n = 0; n < 60; ++n) {
    const auto answer = send(id, 100 + n);
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(n * 40);
    io_.run_until([&] { return std::chrono::steady_clock::now() >= until; });
    value_of(io_.run(hub_->stop(make_uuid(), id)));
    EXPECT_FALSE(hub_->answering(id));
    const Message kept = stored(id, answer);
    EXPECT_TRUE(kept.status == MessageStatus::stopped || kept.status == MessageStatus::complete);
    EXPECT_EQ(kept.text.size(), 10 * kept.token_ids.size());
    EXPECT_EQ(look(id).last().text, kept.text);
  }
}

TEST_F(Stop, DeletingStopsTheAnswerAndKeepsTheData) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  answer_with(endless({"text"}));
  const auto answer = send(id, 10);
  io_.run_until([&] { return stored(id, answer).text == "text"; });
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, true)));
  EXPECT_TRUE(stored(id).deleted);
  EXPECT_EQ(stored(id, answer).status, MessageStatus::stopped);
  EXPECT_EQ(stored(id, answer).text, "text");
  io_.run_until([&] { return client.view().summary.conversation.deleted; });
  value_of(io_.run(hub_->set_deleted(make_uuid(), id, false)));
  EXPECT_EQ(look(id).messages.size(), 2u);
}

TEST_F(Stop, OthersAreNotTouched) {
  answer_with(endless({"text"}));
  const auto first = send(create(1), 10);
  const auto second = send(create(2), 11);
  io_.run_until([&] {
    return stored(test_uuid(1), first).text == "text" && stored(test_uuid(2), second).text == "text";
  });
  io_.run(hub_->stop(make_uuid(), test_uuid(1)));
  EXPECT_TRUE(hub_->answering(test_uuid(2)));
  EXPECT_EQ(model_.num_cancelled(), 1);
}

TEST_F(Stop, ACallerThatIsCancelledDoesNotUndoItsCommand) {
  const auto id = create();
  SendCommand command;
  command.id = test_uuid(10);
  command.conversation = id;
  command.text = "hello";
  boost::asio::cancellation_signal signal;
  bool ended = false;
  boost::asio::co_spawn(
      io_.io(), hub_->send(command),
      boost::asio::bind_cancellation_slot(
          signal.slot(), [&](std::exception_ptr, CommandResult<std::string>) { ended = true; }));
  io_.io().poll();
  emit_on_io_thread(signal);
  io_.run_until([&] { return ended && !hub_->answering(id); });
  EXPECT_EQ(look(id).messages.size(), 2u);
  EXPECT_EQ(look(id).last().text, "Hello");
}

}  // namespace
}  // namespace parley::orchestration::turn
