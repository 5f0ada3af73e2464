// The in-process model with tools: what it asks of the engine, and what comes out of what is generated.

#include <gtest/gtest.h>

#include "tests/orchestration/turn/local_model_fixture.h"

namespace parley::orchestration::turn {
namespace {

using inference::engine::StopReason;
using Texts = std::vector<std::string>;

const std::string kCall =
    "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>";
const std::string kBareCall = R"({"name": "get_weather", "arguments": {"city": "Oslo"}})";
const std::string kUnknown = R"({"name": "greeting", "arguments": {"to": "you"}})";
constexpr const char* kOslo = R"(get_weather {"city": "Oslo"})";

class LocalModelCalls : public LocalModelTest {
 protected:
  LocalModelCalls() { open_with(ToolProfile::native); }
};

TEST_F(LocalModelCalls, ACallComesOutAsEventsWithAllItsIds) {
  generate("Let me see.\n" + kCall);
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.text, "Let me see.");
  EXPECT_EQ(whole.calls, Texts{kOslo});
  EXPECT_EQ(toy_text(whole.ids), "Let me see.\n" + kCall);
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
  EXPECT_EQ(whole.finished.text, "");
  EXPECT_EQ(prompt_of(0), "T(get_weather,calculator)u:hi;");
}

TEST_F(LocalModelCalls, AnotherFamilyIsReadByItsOwnMarkers) {
  open_with(ToolProfile::native, "qwen3-coder");
  const std::string call =
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>";
  generate(call + "\n" + call);
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.calls, (Texts{kOslo, kOslo})) << "a further call has a section of its own";
  EXPECT_EQ(toy_text(whole.ids), call + "\n" + call);
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
}

TEST_F(LocalModelCalls, ASectionOfCallsEndsTheAnswer) {
  open_with(ToolProfile::native, "minimax-m2");
  const std::string call =
      "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter "
      "name=\"city\">Oslo</parameter>\n</invoke>\n"
      "</minimax:tool_call>";
  script_.until_cancelled = true;
  generate(call + "\nDone.");
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.calls, Texts{kOslo});
  EXPECT_EQ(toy_text(whole.ids), call);
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
}

TEST_F(LocalModelCalls, WhatCannotBeEnforcedIsToldAtTheEnd) {
  generate("Hello");
  ChatRequest chat = request_with_tools();
  EXPECT_TRUE(read(chat).finished.tool_report.unenforced.empty());
  chat.tools.tools.push_back(std::make_shared<ToyTool>(
      "odd", "", R"({"type":"object","properties":{"a":{"type":"array","uniqueItems":true}}})", true));
  EXPECT_EQ(read(chat).finished.tool_report.unenforced,
            Texts{"odd#/properties/a: uniqueItems is only checked afterwards"});
  EXPECT_EQ(read(chat).finished.tool_report.unenforced.size(), 1u)
      << "with the constraint from the cache, too";
}

TEST_F(LocalModelCalls, ArgumentsStreamAndIdsComeWithWhatTheyMade) {
  generate(kCall);
  auto stream = start(request_with_tools());
  std::string arguments;
  std::string ids;
  int num_parts = 0;
  for (;;) {
    ChatEvent event = io_.run(stream->next());
    const auto* delta = std::get_if<ChatDelta>(&event);
    if (delta == nullptr) break;
    ids += toy_text(delta->token_ids);
    for (const auto& call : delta->calls) {
      if (const auto* part = std::get_if<calls::ArgumentsDelta>(&call)) {
        arguments += part->json;
        ++num_parts;
        EXPECT_NE(ids.find(arguments), std::string::npos) << "their ids are there";
      }
    }
  }
  EXPECT_EQ(arguments, R"({"city": "Oslo"})");
  EXPECT_GT(num_parts, 0);
}

TEST_F(LocalModelCalls, LongResultsOfATurnDoNotEndIt) {
  ChatRequest chat = request_with_tools();
  chat.overflow = prompt::Overflow::leave_out_oldest;
  for (int i = 0; i < 4; ++i) {
    chat.messages.emplace_back().role = prompt::Role::tool;
    chat.messages.back().text = std::string(1'500, 'r');  // 6,000 tokens of 4,000
  }
  generate("Fine.");
  EXPECT_EQ(read(std::move(chat)).text, "Fine.");
  EXPECT_LE(prompt_of(0).size(), 3'000u);
  EXPECT_NE(prompt_of(0).find("u:hi;t:rrr"), std::string::npos);
}

TEST_F(LocalModelCalls, SeveralCallsOfAnAnswerKeepTheirOrder) {
  const std::string second =
      "<tool_call>\n{\"name\": \"calculator\", \"arguments\": {\"expression\": \"1+1\"}}\n</tool_call>";
  generate(kCall + "\n" + second);
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.calls, (Texts{kOslo, R"(calculator {"expression": "1+1"})"}));
  EXPECT_EQ(toy_text(whole.ids), kCall + "\n" + second);
}

TEST_F(LocalModelCalls, WithoutParallelCallsGenerationEndsBehindTheFirst) {
  generate(kCall + "\n" + kCall);
  script_.until_cancelled = true;
  ChatRequest chat = request_with_tools();
  chat.tools.parallel = false;
  const Whole whole = read(std::move(chat));
  EXPECT_EQ(whole.calls, Texts{kOslo});
  EXPECT_EQ(toy_text(whole.ids), kCall) << "with its closing marker, for the history";
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
  EXPECT_EQ(engine_->num_cancelled(), 1u);
}

TEST_F(LocalModelCalls, ACallWithoutMarkersEndsTheAnswerWhereItCloses) {
  generate("```json\n" + kBareCall + "\n```\nHere is what I found");
  script_.until_cancelled = true;
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.text, "");
  EXPECT_EQ(whole.calls, Texts{kOslo});
  EXPECT_EQ(whole.num_pending, 1);
  EXPECT_EQ(whole.finished.stop_reason, "tool_calls");
}

TEST_F(LocalModelCalls, ObjectsWithoutArgumentsAreProseAndKeepTheirIds) {
  const std::string text = R"({"name": "John Doe", "age": 30})";
  generate(text);
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.text, text);
  EXPECT_EQ(toy_text(whole.ids), text);
  EXPECT_TRUE(whole.calls.empty());
  EXPECT_EQ(whole.finished.stop_reason, "stop");
}

TEST_F(LocalModelCalls, ACallOfAToolThatDoesNotExistIsNeverShownAndTriedOnceMore) {
  then(kUnknown);
  then("Hello!");
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.text, "Hello!");
  EXPECT_EQ(toy_text(whole.ids), "Hello!");
  EXPECT_TRUE(whole.calls.empty());
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_EQ(prompt_of(1), prompt_of(0));
  EXPECT_FALSE(admits(1, kUnknown));
  EXPECT_FALSE(admits(1, "\n```json\n" + kUnknown));
  EXPECT_FALSE(admits(1, kCall));
  EXPECT_FALSE(admits(1, "Sure. " + kCall));
  EXPECT_TRUE(admits(1, "Hello!"));
  EXPECT_EQ(whole.finished.usage.prompt_tokens, static_cast<int>(prompt_of(0).size())) << "once";
  EXPECT_EQ(whole.finished.usage.completion_tokens, static_cast<int>(kUnknown.size()) + 6);
}

TEST_F(LocalModelCalls, ASecondTryIsTheLast) {
  then(kUnknown);
  then(kUnknown);
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.text, kUnknown) << "an engine that ignores the constraint";
  EXPECT_EQ(whole.finished.stop_reason, "stop");
  EXPECT_THROW(engine_->request(2), std::out_of_range);
}

TEST_F(LocalModelCalls, ProseBeforeSuchACallStaysAndTheAnswerGoesOnBehindIt) {
  then("Sure.\n" + kUnknown);
  then(" Hello!");
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.text, "Sure. Hello!");
  EXPECT_EQ(toy_text(whole.ids), whole.text);
  EXPECT_EQ(prompt_of(1), prompt_of(0) + "Sure.");
}

TEST_F(LocalModelCalls, ChoiceNoneKeepsToolsInThePromptAndBansTheOpenings) {
  generate(kBareCall);
  ChatRequest chat = request_with_tools();
  chat.tools.choice = ToolChoice::none;
  const Whole whole = read(std::move(chat));
  EXPECT_EQ(prompt_of(0), "T(get_weather,calculator)u:hi;");
  EXPECT_FALSE(admits(0, kBareCall));
  EXPECT_FALSE(admits(0, kCall));
  EXPECT_FALSE(admits(0, "An object: " + kCall));
  EXPECT_TRUE(admits(0, "An object: {}"));
  EXPECT_EQ(whole.text, kBareCall);
  EXPECT_TRUE(whole.calls.empty());
}

TEST_F(LocalModelCalls, ADemandedCallIsTheWholeAnswerAndItsArgumentsAreValid) {
  generate(kCall);
  ChatRequest chat = request_with_tools();
  chat.tools.choice = ToolChoice::required;
  EXPECT_EQ(read(chat).calls, Texts{kOslo});
  EXPECT_TRUE(admits(0, kCall));
  EXPECT_TRUE(admits(0, kCall + "\n" + kCall));
  EXPECT_FALSE(admits(0, "Hello"));
  EXPECT_FALSE(
      admits(0, "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": 3}}\n</tool_call>"));
  chat.tools.choice = ToolChoice::named;
  chat.tools.named = "get_weather";
  chat.tools.tools = toy_tools(false);
  EXPECT_EQ(read(chat).calls, Texts{kOslo});
  EXPECT_TRUE(admits(1, kCall));
  EXPECT_FALSE(admits(1, kCall + "\n" + kCall));
  EXPECT_FALSE(admits(1, "<tool_call>\n{\"name\": \"calculator\", \"arguments\": {}}\n</tool_call>"));
  chat.tools.named = "other";
  EXPECT_EQ(refused(chat).kind, ChatRejection::Kind::invalid_prompt);
}

TEST_F(LocalModelCalls, AFreeChoiceLeavesProseAloneAndHoldsCallsToTheSchema) {
  generate("Hello");
  read(request_with_tools());
  EXPECT_TRUE(admits(0, "Hello {\"a\": 1}"));
  EXPECT_TRUE(admits(0, "See " + kCall));
  EXPECT_FALSE(admits(0, "See <tool_call>\n{\"name\": \"get_weather\", \"arguments\": {}}\n</tool_call>"));
  EXPECT_FALSE(admits(0, R"({"name": "get_weather", "arguments": {}})"));
  ChatRequest loose = request_with_tools();
  loose.tools.tools = toy_tools(false);
  read(std::move(loose));
  EXPECT_EQ(engine_->request(1).constraint, nullptr);
}

TEST_F(LocalModelCalls, TheSameToolsGetTheSameConstraint) {
  generate("Hello");
  read(request_with_tools());
  read(request_with_tools("again"));
  EXPECT_EQ(engine_->request(0).constraint, engine_->request(1).constraint);
}

TEST_F(LocalModelCalls, AStopStringCountsInProseOnly) {
  generate("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"ENDE\"}}\n</tool_call>");
  ChatRequest chat = request_with_tools();
  chat.options.stop = {"END"};
  EXPECT_EQ(read(chat).calls, Texts{R"(get_weather {"city": "ENDE"})"});
  generate("The END " + kCall);
  const Whole cut = read(chat);
  EXPECT_EQ(cut.text, "The ");
  EXPECT_TRUE(cut.calls.empty());
  EXPECT_EQ(cut.finished.stop_reason, "stop");
}

TEST_F(LocalModelCalls, AnAnswerThatIsCutInsideACallSaysSo) {
  generate(kCall.substr(0, kCall.size() - 20));
  for (const StopReason reason : {StopReason::max_tokens, StopReason::context_end}) {
    script_.reason = reason;
    const Whole whole = read(request_with_tools());
    ASSERT_EQ(whole.calls.size(), 1u);
    EXPECT_NE(whole.calls[0].find("!"), std::string::npos) << whole.calls[0];
    EXPECT_EQ(whole.finished.stop_reason, "length");
    EXPECT_EQ(toy_text(whole.ids), kCall.substr(0, kCall.size() - 20));
  }
}

TEST_F(LocalModelCalls, StoppingAndFailingEndTheAnswerInsideACall) {
  generate(kCall.substr(0, 50));
  script_.until_cancelled = true;
  auto stream = start(request_with_tools());
  stream->cancel();
  EXPECT_EQ(read(*stream).finished.stop_reason, "stopped");
  script_.until_cancelled = false;
  script_.reason = StopReason::failed;
  script_.error = "The device is gone.";
  const Whole failed = read(request_with_tools());
  EXPECT_EQ(failed.finished.error, "The device is gone.");
  EXPECT_EQ(failed.finished.stop_reason, "");
}

TEST_F(LocalModelCalls, StoppedWhileACallIsHeldBackNothingIsTriedAgain) {
  generate(kUnknown);
  script_.until_cancelled = true;
  auto stream = start(request_with_tools());
  stream->cancel();
  read(*stream);
  EXPECT_THROW(engine_->request(1), std::out_of_range);
}

TEST_F(LocalModelCalls, AModelThatCannotCallIsNotShownTools) {
  open_with(ToolProfile::none);
  generate(kBareCall);
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(prompt_of(0), "u:hi;");
  EXPECT_EQ(whole.text, kBareCall);
  EXPECT_FALSE(admits(0, kCall));
  ChatRequest chat = request_with_tools();
  chat.tools.choice = ToolChoice::required;
  generate(kCall);
  EXPECT_EQ(read(chat).calls, Texts{kOslo}) << "the grammar makes it one";
}

TEST_F(LocalModelCalls, RawReadsTheFamilysMarkersAndEnforcesNothing) {
  ChatRequest chat = request_with_tools();
  chat.tools.mode = ToolMode::raw;
  generate(kBareCall);
  const Whole bare = read(chat);
  EXPECT_EQ(bare.text, kBareCall);
  EXPECT_TRUE(bare.calls.empty());
  EXPECT_EQ(engine_->request(0).constraint, nullptr);
  generate(kCall);
  EXPECT_EQ(read(chat).calls, Texts{kOslo});
}

TEST_F(LocalModelCalls, LenientEnforcesNothing) {
  ChatRequest chat = request_with_tools();
  chat.tools.mode = ToolMode::lenient;
  generate(kBareCall);
  EXPECT_EQ(read(chat).calls, Texts{kOslo});
  EXPECT_EQ(engine_->request(0).constraint, nullptr);
}

TEST_F(LocalModelCalls, TheModeDecidesAboutTheRouterNotTheProfile) {
  ChatRequest chat = request_with_tools();
  chat.tools.mode = ToolMode::routed;
  then("none");
  then("Hello!");
  const Whole routed = read(chat);
  EXPECT_EQ(routed.text, "Hello!");
  EXPECT_EQ(routed.finished.tool_report.router, "none");
  open_with(ToolProfile::weak);
  chat.tools.mode = ToolMode::constrained;
  then(kCall);
  const Whole constrained = read(chat);
  EXPECT_EQ(constrained.calls, Texts{kOslo});
  EXPECT_EQ(constrained.finished.tool_report.router, "");
  EXPECT_NE(engine_->request(0).constraint, nullptr);
  open_with(ToolProfile::none);
  then(kCall);
  EXPECT_EQ(read(chat).calls, Texts{kOslo}) << "measured, whatever the profile says";
}

TEST_F(LocalModelCalls, TellsWhatCameOfTheMode) {
  const auto mode_had = [this](ToolMode mode, ToolChoice choice) {
    ChatRequest chat = request_with_tools();
    chat.tools.mode = mode;
    chat.tools.choice = choice;
    return read(std::move(chat)).finished.tool_report.mode;
  };
  generate(kCall);
  EXPECT_EQ(mode_had(ToolMode::usual, ToolChoice::automatic), ToolMode::usual);
  EXPECT_EQ(mode_had(ToolMode::lenient, ToolChoice::automatic), ToolMode::lenient);
  EXPECT_EQ(mode_had(ToolMode::routed, ToolChoice::required), ToolMode::constrained)
      << "a router has nothing to choose";
  then("none");
  EXPECT_EQ(mode_had(ToolMode::routed, ToolChoice::automatic), ToolMode::routed);
  reading_.detection = calls::CallDetection::native;
  open_with(ToolProfile::native);
  EXPECT_EQ(mode_had(ToolMode::lenient, ToolChoice::automatic), ToolMode::raw)
      << "calls without markers are not read of this model";
}

TEST_F(LocalModelCalls, TellsWhatTheRouterChoseAndHowOftenAnswersWereConstrained) {
  open_with(ToolProfile::weak);
  then("get_weather");
  scripts_.back().constrained_draws = 5;
  then(kCall);
  scripts_.back().constrained_draws = 3;
  const Whole whole = read(request_with_tools());
  EXPECT_EQ(whole.finished.tool_report.router, "get_weather");
  EXPECT_EQ(whole.finished.tool_report.constraint_woke, 3) << "the router is held to names anyway";
}

}  // namespace
}  // namespace parley::orchestration::turn
