// One call, from what the model wrote to what it is given back.
#include "orchestration/turn/call_runner.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include <boost/json/parse.hpp>

#include "tests/fakes/scripted_tool.h"

namespace parley::orchestration::turn {
namespace {

using fakes::ScriptedTool;
using inference::json::to_json_text;
using sessions::CallState;
using tools::ToolResult;

struct CallRunnerTest : testing::Test {
  CallPlan plan(const std::string& name, const std::string& arguments) {
    return plan_call(tools::ToolSet({weather, clock}), name, arguments);
  }
  CallOutcome run(const ResultLimit& limit = {}) {
    tools::CallContext context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    return run_call(plan("weather", R"({"city":"Oslo"})"), context, limit);
  }
  void answer(ToolResult result) {
    weather->on_run = [result = std::move(result)](const auto&, const auto&) { return result; };
  }
  std::shared_ptr<ScriptedTool> weather = std::make_shared<ScriptedTool>("weather", "city");
  std::shared_ptr<ScriptedTool> clock = std::make_shared<ScriptedTool>("clock", "zone");
};

TEST_F(CallRunnerTest, ACallThatCanRunHasToolArgumentsAndPreview) {
  const CallPlan call = plan("weather", R"( {"city": "Oslo"} )");
  EXPECT_EQ(call.problem, "");
  EXPECT_EQ(call.tool, weather);
  EXPECT_EQ(to_json_text(call.arguments), R"({"city":"Oslo"})");
  EXPECT_EQ(call.preview.words, (std::vector<std::string>{"weather", R"({"city":"Oslo"})"}));
}

TEST_F(CallRunnerTest, AnUnknownToolIsNamedWithItsNeighbour) {
  EXPECT_EQ(plan("wether", "{}").problem, "There is no tool named wether. Did you mean weather?");
  EXPECT_EQ(plan("send_rocket", "{}").problem,
            "There is no tool named send_rocket. The tools are: clock, weather.");
  EXPECT_EQ(plan_call(tools::ToolSet(), "x", "{}").problem,
            "There is no tool named x. No tools can be called now; answer without them.");
}

TEST_F(CallRunnerTest, ArgumentsThatAreNoObjectAreAProblem) {
  EXPECT_EQ(plan("weather", "[1]").problem, "The arguments have to be a JSON object.");
  EXPECT_EQ(plan("weather", R"({"city")").problem.rfind("The arguments are not valid JSON: ", 0), 0u);
  EXPECT_NE(plan("weather", std::string(200, '[')).problem, "");
  EXPECT_NE(plan("weather", "").problem.find("city"), std::string::npos);  // none are {}, and one is missing
}

TEST_F(CallRunnerTest, KeysThatTheSchemaDoesNotKnowAreLeftOutAndNoted) {
  const CallPlan call = plan("weather", R"({"city":"Oslo","required":["city"],"unit":"C"})");
  EXPECT_EQ(call.problem, "");
  EXPECT_EQ(to_json_text(call.arguments), R"({"city":"Oslo"})");
  EXPECT_EQ(call.note, "(Left out, because the tool does not know it: required, unit)\n");
}

TEST_F(CallRunnerTest, ASchemaThatTakesOtherKeysGetsThem) {
  weather->spec_.parameters["additionalProperties"] = true;
  EXPECT_EQ(plan("weather", R"({"city":"Oslo","unit":"C"})").arguments.size(), 2u);
  weather->spec_.parameters.erase("additionalProperties");
  weather->spec_.parameters.erase("properties");
  EXPECT_EQ(plan("weather", R"({"city":"Oslo","unit":"C"})").arguments.size(), 2u);
}

TEST_F(CallRunnerTest, TheTextIsTheResult) {
  ToolResult result;
  result.text = "3 degrees";
  answer(result);
  EXPECT_EQ(run().result, "3 degrees");
  EXPECT_EQ(run().output, "");
  EXPECT_EQ(run().state, CallState::done);
}

TEST_F(CallRunnerTest, StructuredContentStandsInForATextThatIsMissing) {
  ToolResult result;
  result.structured = boost::json::parse(R"({"t":3})");
  answer(result);
  EXPECT_EQ(run().result, R"({"t":3})");
}

TEST_F(CallRunnerTest, NothingIsSaidToBeNothing) {
  answer({});
  EXPECT_EQ(run().result, "(no output)");
  ToolResult result;
  result.images.push_back({"image/png", "bytes"});
  answer(result);
  EXPECT_EQ(run().result, "(images, shown to the user)");
  EXPECT_EQ(run().images.size(), 1u);
}

TEST_F(CallRunnerTest, FailuresAreResults) {
  ToolResult result;
  result.text = "exit status 3";
  result.status = ToolResult::Status::error;
  answer(result);
  EXPECT_EQ(run().state, CallState::failed);
  EXPECT_EQ(run().result, "exit status 3");
  result.status = ToolResult::Status::timed_out;
  answer(result);
  EXPECT_EQ(run().state, CallState::failed);
  result.status = ToolResult::Status::cancelled;
  answer(result);
  EXPECT_EQ(run().state, CallState::cancelled);
  weather->on_run = [](const auto&, const auto&) -> ToolResult { throw std::runtime_error("no disk"); };
  EXPECT_EQ(run().state, CallState::failed);
  EXPECT_EQ(run().result, "The tool failed: no disk");
}

TEST_F(CallRunnerTest, ALongResultKeepsHeadAndTailWithinTheLimit) {
  ToolResult result;
  result.text = "first" + std::string(40000, '.') + "last";
  answer(result);
  ResultLimit limit;
  limit.tokens = 100;
  limit.count = [](std::string_view text) { return text.size() / 3; };
  limit.where_rest = "(Read the rest.)";
  const CallOutcome outcome = run(limit);
  EXPECT_EQ(outcome.output, result.text);
  EXPECT_EQ(outcome.result.rfind("first", 0), 0u);
  EXPECT_NE(outcome.result.find("last\n(Read the rest.)"), std::string::npos);
  EXPECT_LE(limit.count(outcome.result), 100u + 6u);
  EXPECT_GE(limit.count(outcome.result), 80u);
}

TEST_F(CallRunnerTest, TextOfOneTokenAByteIsShortenedToo) {
  ToolResult result;
  result.text = std::string(5000, 'x');
  answer(result);
  ResultLimit limit;
  limit.tokens = 500;
  limit.count = [](std::string_view text) { return text.size(); };
  EXPECT_LE(run(limit).result.size(), 500u);
}

}  // namespace
}  // namespace parley::orchestration::turn
