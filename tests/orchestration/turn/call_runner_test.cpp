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

TEST_F(CallRunnerTest, WhatAModelMadeUpIsToldShortly) {
  inference::json::JsonObject arguments;
  arguments["city"] = "Oslo";
  for (int i = 0; i < 1'000; ++i) arguments[std::to_string(1'000 + i) + std::string(900, 'k')] = i;
  CallPlan call = plan("weather", to_json_text(arguments));
  EXPECT_EQ(call.problem, "");
  EXPECT_EQ(to_json_text(call.arguments), R"({"city":"Oslo"})");
  EXPECT_TRUE(call.note.starts_with("(Left out, because the tool does not know it: 1000k")) << call.note;
  EXPECT_TRUE(call.note.ends_with(" and 980 more)\n")) << call.note;
  EXPECT_LT(call.note.size(), 1'600u);
  arguments.erase("city");
  call = plan("weather", to_json_text(arguments));
  EXPECT_NE(call.problem.find("`city`: is required"), std::string::npos);
  EXPECT_LT(call.problem.size(), 2'000u);
  const std::string unknown = plan(std::string(100'000, 'n') + "\nforged", "{}").problem;
  EXPECT_LT(unknown.size(), 200u);
  EXPECT_EQ(unknown.find('\n'), std::string::npos);
}

TEST_F(CallRunnerTest, OfManyToolsTheFirstAreNamed) {
  std::vector<tools::ToolPointer> many;
  for (int i = 0; i < 30; ++i)
    many.push_back(std::make_shared<ScriptedTool>("tool_" + std::to_string(100 + i), "what"));
  const std::string problem = plan_call(tools::ToolSet(many), "send_rocket", "{}").problem;
  EXPECT_NE(problem.find("The tools are: tool_100, "), std::string::npos);
  EXPECT_TRUE(problem.ends_with("tool_119 and 10 more.")) << problem;
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

TEST_F(CallRunnerTest, ImagesThatNobodyIsShownAreSaidToBeLeftOut) {
  const std::string note = "(Images were left out: nobody can be shown any here.)";
  ResultLimit limit;
  limit.images = ImageUse::left_out;
  ToolResult result;
  result.images.push_back({"image/png", "bytes"});
  answer(result);
  EXPECT_EQ(run(limit).result, note);
  EXPECT_EQ(run(limit).output, "");
  result.text = "The chart:";
  answer(result);
  EXPECT_EQ(run(limit).result, "The chart:\n" + note);
  EXPECT_EQ(run().result, "The chart:");
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

TEST_F(CallRunnerTest, ACallThatWasStoppedBeforeItRanDoesNotRun) {
  std::stop_source stop;
  stop.request_stop();
  tools::CallContext context;
  context.stop = stop.get_token();
  const CallOutcome outcome = run_call(plan("weather", R"({"city":"Oslo"})"), context, {});
  EXPECT_EQ(outcome.state, CallState::cancelled);
  EXPECT_FALSE(outcome.has_run);
  EXPECT_EQ(weather->runs, 0);
  EXPECT_TRUE(run().has_run);
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

TEST_F(CallRunnerTest, AToolCanAskWhatIsGivenInFull) {
  ResultLimit limit;
  limit.tokens = 100;
  limit.count = [](std::string_view text) { return text.size() / 3; };
  weather->on_run = [](const auto&, const tools::CallContext& context) {
    ToolResult result;
    result.text = context.fits(std::string(302, 'x')) && !context.fits(std::string(303, 'x')) ? "yes" : "no";
    return result;
  };
  EXPECT_EQ(run(limit).result, "yes");
}

TEST_F(CallRunnerTest, WhatTheToolItselfCutIsToldWhereItsLineMayHaveBeenShortenedAway) {
  ToolResult result;
  result.text = std::string(4000, 'a') + "\n(4321 bytes cut)\n" + std::string(4000, 'b');
  result.cut_bytes = 4321;
  answer(result);
  ResultLimit limit;
  limit.tokens = 100;
  const CallOutcome outcome = run(limit);
  EXPECT_EQ(outcome.output, result.text);
  EXPECT_TRUE(outcome.result.ends_with("4321 bytes were over its limit and are not kept.)"))
      << outcome.result;
  limit.tokens = 100000;
  EXPECT_EQ(run(limit).result, result.text) << "its own line is there";
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
