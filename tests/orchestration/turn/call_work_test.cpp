// What chats and API requests share of running calls.
#include "orchestration/turn/call_work.h"

#include <gtest/gtest.h>

#include "tests/fakes/scripted_tool.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using std::chrono::milliseconds;
using tools::Decision;
using Kind = CallVerdict::Kind;

struct CallWorkTest : testing::Test {
  CallWorkTest() {
    ToolDeskParts parts;
    parts.current = [this] { return state; };
    desk = std::make_unique<ToolDesk>(io.executor(), std::move(parts));
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
  std::shared_ptr<const tools::RegistryState> state = fakes::state_with({weather});
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
  const CallRun run = io.run(run_planned_call(*desk, call, {}, {}));
  EXPECT_EQ(run.outcome.state, sessions::CallState::done);
  EXPECT_EQ(run.outcome.output.size(), 1000u);
  EXPECT_LT(run.outcome.result.size(), 200u);
  EXPECT_GE(run.elapsed_ms, 0);
  const auto left = deadline - std::chrono::steady_clock::now();
  EXPECT_TRUE(left > milliseconds(0) && left <= milliseconds(5000));
}

TEST_F(CallWorkTest, RoundsEndAtALimit) {
  const tools::ToolLimits limits = {.max_rounds = 3, .loop_wall_time = milliseconds(100)};
  EXPECT_EQ(round_limit(limits, 2, milliseconds(50)), "");
  EXPECT_NE(round_limit(limits, 3, milliseconds(50)).find("3 rounds"), std::string::npos);
  EXPECT_NE(round_limit(limits, 2, milliseconds(101)).find("time limit"), std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::turn
