// How a loop ends: limits, Cancel, failures.
#include <gtest/gtest.h>

#include <thread>

#include <boost/asio/post.hpp>

#include "orchestration/turn/tool_loop.h"
#include "tests/orchestration/turn/tool_loop_harness.h"

namespace parley::orchestration::turn {
namespace {

using fakes::ChatScript;
using fakes::ScriptedCall;
using sessions::CallState;
using tools::Decision;

struct ToolLoopEndTest : ToolLoopHarness {};

TEST_F(ToolLoopEndTest, RoundsAreCapped) {
  limit({.max_rounds = 2});
  rounds(std::vector<std::vector<ScriptedCall>>(5, {kOslo}));
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_NE(finished.limit.find("2 rounds"), std::string::npos);
  EXPECT_EQ(finished.calls.size(), 2u);
  EXPECT_EQ(weather->runs, 2);
}

TEST_F(ToolLoopEndTest, TimeIsCapped) {
  limit({.loop_wall_time = std::chrono::milliseconds(0)});
  rounds({{kOslo}});
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_NE(finished.limit.find("time limit"), std::string::npos);
}

TEST_F(ToolLoopEndTest, TimeThatIsOverEndsACallThatRuns) {
  limit({.loop_wall_time = std::chrono::milliseconds(100)});
  rounds({{kOslo}});
  weather->wait_in_run();
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_EQ(finished.limit, kOutOfTime);
  ASSERT_EQ(finished.calls.size(), 1u);
  EXPECT_EQ(finished.calls[0].state, CallState::cancelled);
  EXPECT_EQ(finished.calls[0].result, kOutOfTime);
  EXPECT_EQ(model.requests.size(), 1u);
}

TEST_F(ToolLoopEndTest, TimeThatIsOverEndsWhatTheModelWrites) {
  limit({.loop_wall_time = std::chrono::milliseconds(300)});
  rounds({{kOslo}});
  model.answer = [this, script = model.answer](const ChatRequest& asked) {
    ChatScript made = script(asked);
    made.until_cancelled = model.requests.size() == 2;
    return made;
  };
  const ChatFinished finished = answer();
  EXPECT_EQ(text, "Hm. It rains.");
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_EQ(finished.limit, kOutOfTime);
  EXPECT_EQ(finished.calls.at(0).state, CallState::done);
}

TEST_F(ToolLoopEndTest, TokensAreThoseOfAllRoundsThatTheAnswerHas) {
  request.options.max_tokens = 6;  // a piece of prose and two of a call, twice
  rounds({{kOslo}, {kOslo}});
  model.answer = [script = model.answer](const ChatRequest& asked) {
    ChatScript made = script(asked);
    made.hidden_tokens = 50;  // a router's
    return made;
  };
  const ChatFinished finished = answer();
  ASSERT_EQ(model.requests.size(), 2u);
  EXPECT_EQ(model.requests[1].options.max_tokens, 3);
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_NE(finished.limit.find("6 tokens"), std::string::npos);
  EXPECT_EQ(finished.calls.size(), 2u);
  EXPECT_EQ(finished.usage.completion_tokens, 102) << "what was made is told all the same";
}

TEST_F(ToolLoopEndTest, CancelEndsCallsThatRun) {
  rounds({{kOslo}});
  weather->wait_in_run();
  const auto stream = start();
  boost::asio::steady_timer timer(io.executor(), std::chrono::milliseconds(50));
  timer.async_wait([&](const boost::system::error_code&) { stream->cancel(); });
  const ChatFinished finished = finish(*stream);
  EXPECT_EQ(finished.stop_reason, "stopped");
  EXPECT_EQ(finished.calls.at(0).state, CallState::cancelled);
  EXPECT_EQ(model.requests.size(), 1u);
  EXPECT_EQ(model.num_streams(), 0) << "an answer that has ended keeps nothing";
}

TEST_F(ToolLoopEndTest, CallsOfADroppedAnswerEnd) {
  rounds({{kOslo}});
  weather->wait_in_run();
  auto stream = start();
  boost::asio::co_spawn(io.io(), stream->next(), [](const std::exception_ptr&, const ChatEvent&) {});
  io.run_until([&] { return weather->runs > 0 || round > 0; });
  stream->cancel();
  io.run_for(std::chrono::milliseconds(500));
  stream.reset();
  desk.reset();  // would wait for a tool that runs on
  EXPECT_LE(weather->runs, 1);
}

TEST_F(ToolLoopEndTest, ADroppedAnswerIsNotTouchedByTheEndOfItsTime) {
  limit({.loop_wall_time = std::chrono::milliseconds(1)});
  rounds({});
  auto stream = start();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  bool dropped = false;
  boost::asio::post(io.io(), [&] {  // the timer's handler comes behind this one, or with it
    stream.reset();
    dropped = true;
  });
  io.run_until([&] { return dropped; });
  io.run_for(std::chrono::milliseconds(20));
  EXPECT_EQ(model.num_streams(), 0);
}

TEST_F(ToolLoopEndTest, AModelThatRefusesToGoOnIsALimitSinceToolsHaveRun) {
  using Kind = ChatRejection::Kind;
  rounds({{kOslo}});
  auto script = model.answer;
  for (const Kind kind : {Kind::queue_full, Kind::prompt_too_long}) {
    round = 0;
    model.answer = [&](const ChatRequest& asked) {
      ChatScript made = script(asked);
      if (model.requests.size() % 2 == 0) made.rejection = ChatRejection{kind, "Full.", 0, 0};
      return made;
    };
    const ChatFinished full = answer();
    EXPECT_EQ(full.error, "");
    EXPECT_EQ(full.stop_reason, "length");
    EXPECT_EQ(full.limit, "Full.");
    EXPECT_EQ(full.calls.size(), 1u);
  }
}

TEST_F(ToolLoopEndTest, AFailureAfterToolsHaveRunIsALimitToo) {
  rounds({{kOslo}});
  model.answer = [this, script = model.answer](const ChatRequest& asked) {
    ChatScript made = script(asked);
    if (model.requests.size() == 2) made.error = "The device is gone.";
    return made;
  };
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.error, "");
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_EQ(finished.limit, "The device is gone.");
  ASSERT_EQ(finished.calls.size(), 1u);
  EXPECT_EQ(finished.calls[0].state, CallState::done);
}

TEST_F(ToolLoopEndTest, AFailureBeforeAnyToolHasRunIsAnError) {
  rounds({{kOslo}});
  model.answer = [script = model.answer](const ChatRequest& asked) {
    ChatScript made = script(asked);
    made.error = "The device is gone.";
    return made;
  };
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.error, "The device is gone.");
  EXPECT_EQ(finished.limit, "");
  EXPECT_EQ(weather->runs, 0);
}

TEST_F(ToolLoopEndTest, AServerThatStopsAfterToolsHaveRunTellsOfThem) {
  rounds({{kOslo}});
  model.answer = [this, script = model.answer](const ChatRequest& asked) {
    ChatScript made = script(asked);
    if (model.requests.size() == 2) made.stop_reason = "stopped";
    return made;
  };
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_NE(finished.limit.find("server is stopping"), std::string::npos);
  EXPECT_EQ(finished.calls.size(), 1u);
}

}  // namespace
}  // namespace parley::orchestration::turn
