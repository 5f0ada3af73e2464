// Ending calls, one or all.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

using CallStopTest = ToolTurnTest;

TEST_F(CallStopTest, StopEndsACallThatRuns) {
  weather_->wait_in_run();
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::running); });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  EXPECT_FALSE(hub_->answering(id));
  EXPECT_EQ(path(id).size(), 2u);
  EXPECT_EQ(path(id)[1].status, MessageStatus::stopped);
  EXPECT_EQ(path(id)[1].calls.at(0).state, CallState::cancelled);
}

TEST_F(CallStopTest, StopEndsACallThatWaitsForTheUser) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::cancelled);
  EXPECT_EQ(clock_->runs, 0);
}

TEST_F(CallStopTest, StopBehindTheLastTokenOfACallKeepsItFromRunning) {
  ChatScript script;
  script.calls = {{"weather", kInOslo, ""}};
  script.until_cancelled = true;
  script.had_ended = true;
  script.stop_reason = "tool_calls";
  answer_with(script);
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::writing); });
  io_.run_for(std::chrono::milliseconds(20));
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  wait_for_end(id);
  EXPECT_EQ(weather_->runs, 0);
  EXPECT_EQ(path(id).at(1).status, MessageStatus::stopped);
  EXPECT_EQ(path(id)[1].calls.at(0).state, CallState::cancelled);
}

TEST_F(CallStopTest, AStoppedTurnGoesOnWithWhatItHas) {
  weather_->wait_in_run();
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  const auto answer = send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::running); });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
  EXPECT_NE(model_.requests.back().messages.back().text.find("stopped"), std::string::npos);
}

TEST_F(CallStopTest, ACallThatHadNoThreadWhenTheServerEndedIsKnownNotToHaveRun) {
  const auto threads_are_free = std::make_shared<std::atomic<bool>>(false);
  for (std::size_t thread = 0; thread < ToolDeskParts().threads; ++thread) {
    boost::asio::post(desk_->threads(), [threads_are_free] {
      tests::fakes::eventually([&] { return threads_are_free->load(); }, std::chrono::seconds(20));
    });
  }
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return has_call_in(client, CallState::running); });
  }
  boost::asio::steady_timer timer(io_.executor(), std::chrono::milliseconds(50));
  timer.async_wait([&](const boost::system::error_code&) { *threads_are_free = true; });
  restart();
  EXPECT_EQ(weather_->runs, 0);
  const auto call = path(id).at(1).calls.at(0);
  EXPECT_EQ(call.state, CallState::cancelled);
  EXPECT_EQ(call.result, "The server was stopped before this call ran.");
}

class ShutDownTest : public ToolTurnTest {
 protected:
  // With more patience than a test has.
  std::chrono::milliseconds shut_down() {
    const auto begin = std::chrono::steady_clock::now();
    io_.run(hub_->shut_down(std::chrono::minutes(10)));
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  }
  void begin_anew() {
    hub_ = make_conversation_hub(*store_, store_thread_, model_, io_.executor(), options_);
  }
  static constexpr const char* kInUtc = R"({"zone":"UTC"})";
};

TEST_F(ShutDownTest, WaitsForNoDecisionAndKeepsTheCallWaiting) {
  rounds({{{"clock", kInUtc, ""}}});
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  }
  EXPECT_LT(shut_down(), std::chrono::seconds(5));
  EXPECT_EQ(path(id).at(1).status, MessageStatus::interrupted);
  EXPECT_EQ(path(id)[1].calls.at(0).state, CallState::awaiting_approval);
  begin_anew();
  FollowingClient client(io_, *hub_, id);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(decide(client, CallDecision::once));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(path(id).back().text, "It rains.");
}

TEST_F(ShutDownTest, WaitsForTheCallThatRunsBesideOneThatWaits) {
  weather_->wait_in_run();
  rounds({{{"clock", kInUtc, ""}, {"weather", kInOslo, ""}}});
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return has_call_in(client, CallState::running, 1); });
  }
  boost::asio::steady_timer timer(io_.executor(), std::chrono::milliseconds(300));
  timer.async_wait([&](const boost::system::error_code&) { weather_->let_go = true; });
  const auto took = shut_down();
  EXPECT_GE(took, std::chrono::milliseconds(300));
  EXPECT_LT(took, std::chrono::seconds(5));
  const auto calls = path(id).at(1).calls;
  EXPECT_EQ(calls.at(0).state, CallState::awaiting_approval);
  EXPECT_EQ(calls.at(1).state, CallState::done);
  begin_anew();
}

TEST_F(ShutDownTest, WaitsForNoServerOfToolsThatStarts) {
  auto starting = std::make_shared<tools::RegistryState>(*fakes::state_with({}));
  starting->starting = {"forecasts"};
  state_ = std::move(starting);
  options_.tool_patience = std::chrono::minutes(10);
  io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
  begin_anew();
  const auto id = create();
  const auto answer = send(id, 10);
  io_.run_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(hub_->answering(id));
  EXPECT_LT(shut_down(), std::chrono::seconds(5));
  EXPECT_EQ(stored(id, answer).status, MessageStatus::interrupted);
  begin_anew();
}

TEST_F(CallStopTest, OneCallCanBeCancelledAndTheTurnGoesOn) {
  weather_->wait_in_run();
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::running); });
  value_of(cancel(client));
  wait_for_end(id);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::cancelled);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

}  // namespace
}  // namespace parley::orchestration::turn
