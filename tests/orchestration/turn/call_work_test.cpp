// What chats and API requests share of running calls.
#include "orchestration/turn/call_work.h"

#include <gtest/gtest.h>

#include <boost/asio/detached.hpp>

#include "tests/fakes/scripted_tool.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using std::chrono::milliseconds;
using tools::Decision;
using Kind = CallVerdict::Kind;

struct CallWorkTest : testing::Test {
  CallWorkTest() { open({}); }
  void open(ToolDeskParts parts) {
    parts.current = [this] { return state; };
    desk = std::make_unique<ToolDesk>(io.executor(), std::move(parts));
  }
  // Its one thread is taken by a call of another tool until that is let go.
  void open_busy_desk() {
    desk.reset();
    ToolDeskParts parts;
    parts.threads = 1;
    open(std::move(parts));
    clock->wait_in_run();
    occupying = plan_call(tools::ToolSet({clock}), "clock", R"({"zone":"UTC"})");
    boost::asio::co_spawn(io.io(), run_planned_call(*desk, occupying, {}, {}), boost::asio::detached);
    io.run_until([&] { return clock->runs > 0; });
  }
  CallPlan plan(const std::string& city) {
    return plan_call(tools::ToolSet({weather}), "weather", R"({"city":")" + city + "\"}");
  }
  Kind judge(const std::string& city, const std::string& broken = "") {
    return judge_call(*desk, repeats, plan(city), broken, "chat").kind;
  }
  std::optional<CallPlaces::Place> take(CallPlaces& places) {
    const std::function<bool()> is_over = [this] { return over; };
    return io.run(places.take(weather, is_over));
  }

  IoDriver io;
  std::shared_ptr<fakes::ScriptedTool> weather = std::make_shared<fakes::ScriptedTool>("weather", "city");
  std::shared_ptr<fakes::ScriptedTool> clock = std::make_shared<fakes::ScriptedTool>("clock", "zone");
  std::shared_ptr<const tools::RegistryState> state = fakes::state_with({weather});
  CallPlan occupying;
  std::unique_ptr<ToolDesk> desk;
  CallRepeats repeats;
  bool over = false;
};

TEST_F(CallWorkTest, PlansKeepTheOrderOfTheCalls) {
  const tools::ToolSet offered({weather});
  std::vector<prompt::MessageCall> made = {
      {"1", "weather", R"({"city":"Oslo"})"}, {"2", "whether", "{}"}, {"3", "weather", "{"}};
  const auto plans = io.run(plan_calls(*desk, offered, std::move(made)));
  ASSERT_EQ(plans.size(), 3u);
  EXPECT_EQ(plans[0].problem, "");
  EXPECT_EQ(plans[1].tool, nullptr);
  EXPECT_NE(plans[2].problem, "");
}

TEST_F(CallWorkTest, ACallIsJudgedByItsTextTheRulesAndWhatWasCalledBefore) {
  EXPECT_EQ(judge("Oslo", "no JSON"), Kind::fail);
  EXPECT_EQ(judge_call(*desk, repeats, plan_call(tools::ToolSet(), "a", "{}"), "", "").kind, Kind::fail);
  EXPECT_EQ(judge("Oslo"), Kind::ask);
  desk->approve(weather->spec(), "chat", tools::ApprovalScope::chat);
  EXPECT_EQ(judge("Oslo"), Kind::run);
  EXPECT_EQ(judge("Oslo"), Kind::fail) << "the third time";
  EXPECT_EQ(judge("Rome"), Kind::run);
  state = fakes::state_with({weather}, {{"*", "", Decision::deny}});
  const CallVerdict verdict = judge_call(*desk, repeats, plan("Paris"), "", "chat");
  EXPECT_EQ(verdict.kind, Kind::deny);
  EXPECT_FALSE(verdict.result.empty());
}

TEST_F(CallWorkTest, PlacesAreThoseOfTheToolAndOfTheTurn) {
  weather->spec_.max_parallel = 3;
  state = fakes::state_with({weather}, {}, {.max_parallel = 2});
  CallPlaces turn(*desk);
  CallPlaces other(*desk);
  std::optional<CallPlaces::Place> first = take(turn);
  const auto second = take(turn);
  const auto third = take(other);
  ASSERT_TRUE(first && second && third);
  boost::asio::steady_timer timer(io.executor(), milliseconds(20));
  timer.async_wait([&](const boost::system::error_code&) { over = true; });
  EXPECT_FALSE(take(other)) << "the tool's places are taken";
  over = false;
  first.reset();
  EXPECT_TRUE(take(turn));
}

TEST_F(CallWorkTest, APlaceThatIsGivenBackWakesWhoWaits) {
  weather->spec_.max_parallel = 1;
  CallPlaces places(*desk);
  std::optional<CallPlaces::Place> first = take(places);
  boost::asio::steady_timer timer(io.executor(), milliseconds(20));
  timer.async_wait([&](const boost::system::error_code&) { first.reset(); });
  EXPECT_TRUE(take(places));
}

// As when the process ends by an exception: the frames of coroutines go last. A sanitizer would tell.
TEST_F(CallWorkTest, APlaceMayOutliveTheDesk) {
  CallPlaces places(*desk);
  std::optional<CallPlaces::Place> place = take(places);
  const std::weak_ptr<ToolDesk> watched = desk->watch();
  desk.reset();
  EXPECT_TRUE(watched.expired());
  place.reset();
}

TEST_F(CallWorkTest, ARunHasTheDesksLimits) {
  state = fakes::state_with({weather}, {}, {.call_timeout = milliseconds(5000), .result_tokens = 20});
  std::chrono::steady_clock::time_point deadline;
  weather->on_run = [&](const auto&, const tools::CallContext& context) {
    deadline = context.deadline;
    tools::ToolResult result;
    result.text = std::string(1000, 'a');
    return result;
  };
  const CallPlan call = plan("Oslo");
  ResultLimit limit;
  limit.tokens = result_tokens(desk->limits(), 0, 1);
  const CallRun run = io.run(run_planned_call(*desk, call, {}, limit));
  EXPECT_EQ(run.outcome.state, sessions::CallState::done);
  EXPECT_EQ(run.outcome.output.size(), 1000u);
  EXPECT_LT(run.outcome.result.size(), 200u);
  EXPECT_GE(run.elapsed_ms, 0);
  const auto left = deadline - std::chrono::steady_clock::now();
  EXPECT_TRUE(left > milliseconds(0) && left <= milliseconds(5000));
}

TEST_F(CallWorkTest, PlansDoNotWaitForCallsThatRun) {
  open_busy_desk();
  const tools::ToolSet offered({weather});
  std::vector<prompt::MessageCall> made = {{"1", "weather", R"({"city":"Oslo"})"}};
  EXPECT_EQ(io.run(plan_calls(*desk, offered, std::move(made))).at(0).preview.words.at(0), "weather");
  EXPECT_FALSE(clock->let_go);
  clock->let_go = true;
}

TEST_F(CallWorkTest, TimeUntilAThreadIsFreeIsNotTheCalls) {
  open_busy_desk();
  state = fakes::state_with({weather}, {}, {.call_timeout = milliseconds(5000)});
  std::chrono::steady_clock::duration left{};
  weather->on_run = [&](const auto&, const tools::CallContext& context) {
    left = context.deadline - std::chrono::steady_clock::now();
    return tools::ToolResult();
  };
  boost::asio::steady_timer timer(io.executor(), milliseconds(400));
  timer.async_wait([&](const boost::system::error_code&) { clock->let_go = true; });
  const CallPlan call = plan("Oslo");
  const CallRun run = io.run(run_planned_call(*desk, call, {}, {}));
  EXPECT_GT(left, milliseconds(4700));
  EXPECT_LT(run.elapsed_ms, 300);
}

TEST_F(CallWorkTest, ACallThatIsStoppedBeforeAThreadIsFreeDoesNotRun) {
  open_busy_desk();
  std::stop_source stop;
  tools::CallContext context;
  context.stop = stop.get_token();
  boost::asio::steady_timer timer(io.executor(), milliseconds(20));
  timer.async_wait([&](const boost::system::error_code&) {
    stop.request_stop();
    clock->let_go = true;
  });
  const CallPlan call = plan("Oslo");
  const CallRun run = io.run(run_planned_call(*desk, call, std::move(context), {}));
  EXPECT_EQ(run.outcome.state, sessions::CallState::cancelled);
  EXPECT_EQ(weather->runs, 0);
}

TEST_F(CallWorkTest, AToolsOwnTimeOutHoldsForItsRun) {
  state = fakes::state_with({weather}, {}, {.call_timeout = milliseconds(5000)});
  weather->spec_.timeout = milliseconds(300'000);
  std::chrono::steady_clock::time_point deadline;
  weather->on_run = [&](const auto&, const tools::CallContext& context) {
    deadline = context.deadline;
    return tools::ToolResult();
  };
  const CallPlan call = plan("Oslo");
  io.run(run_planned_call(*desk, call, {}, {}));
  EXPECT_GT(deadline - std::chrono::steady_clock::now(), milliseconds(200'000));
}

TEST_F(CallWorkTest, RoundsEndAtALimit) {
  const tools::ToolLimits limits = {.max_rounds = 3, .loop_wall_time = milliseconds(100)};
  EXPECT_EQ(round_limit(limits, 2, milliseconds(50)), "");
  EXPECT_NE(round_limit(limits, 3, milliseconds(50)).find("3 rounds"), std::string::npos);
  EXPECT_EQ(round_limit(limits, 2, milliseconds(99)), "");
  EXPECT_NE(round_limit(limits, 2, milliseconds(100)).find("time limit"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::turn
