#include "orchestration/turn/tool_loop.h"

#include <gtest/gtest.h>

#include "tests/orchestration/turn/tool_loop_harness.h"

namespace parley::orchestration::turn {
namespace {

using fakes::ChatScript;
using fakes::ScriptedCall;
using sessions::CallState;
using tools::Decision;

struct ToolLoopTest : ToolLoopHarness {};

TEST_F(ToolLoopTest, IsOneAnswerToTheCaller) {
  rounds({{kOslo, {"weather", R"({"city":"Rome"})", ""}}});
  const ChatFinished finished = answer();
  EXPECT_EQ(text, "Hm. It rains.");
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(finished.stop_reason, "stop");
  EXPECT_EQ(finished.limit, "");
  ASSERT_EQ(finished.calls.size(), 2u);
  EXPECT_EQ(finished.calls[0].source, "command");
  EXPECT_EQ(finished.calls[0].decision, "auto");
  EXPECT_EQ(finished.calls[1].result, R"(result of {"city":"Rome"})");
  EXPECT_EQ(finished.calls[1].state, CallState::done);
  ASSERT_EQ(model.requests.size(), 2u);
  const auto& history = model.requests[1].messages;
  ASSERT_EQ(history.size(), 4u);
  EXPECT_EQ(history[1].text, "Hm. ");
  EXPECT_EQ(history[1].token_ids.size(), 5u);
  EXPECT_EQ(history[1].calls.size(), 2u);
  EXPECT_EQ(history[3].call_id, history[1].calls[1].id);
  EXPECT_EQ(history[3].tool_name, "weather");
}

TEST_F(ToolLoopTest, UsageIsThatOfAllRounds) {
  rounds({{kOslo}, {{"weather", R"({"city":"Rome"})", ""}}});
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.usage.prompt_tokens, 21);
  EXPECT_EQ(finished.usage.completion_tokens, 4);
  EXPECT_EQ(finished.timings.first_token_ms, 1);
  EXPECT_EQ(finished.timings.total_ms, 6);
  EXPECT_EQ(finished.tool_report.constraint_woke, 3);
}

TEST_F(ToolLoopTest, TheRoutersChoiceIsTheFirstRounds) {
  rounds({{kOslo}});
  model.answer = [this, script = model.answer](const ChatRequest& asked) {
    ChatScript made = script(asked);
    made.router = model.requests.size() == 1 ? "weather" : "none";
    return made;
  };
  EXPECT_EQ(answer().tool_report.router, "weather");
}

TEST_F(ToolLoopTest, ProseOfRoundsStaysApart) {
  prose = "I look.";
  rounds({{kOslo}});
  auto script = model.answer;
  model.answer = [&](const ChatRequest& asked) {
    ChatScript made = script(asked);
    made.reasoning = "Let me see.";
    if (model.requests.size() == 1) made.rest = " Now";
    return made;
  };
  answer();
  EXPECT_EQ(text, "I look. Now\n\nIt rains.");
  EXPECT_EQ(reasoning, "Let me see.\n\nLet me see.");
  EXPECT_EQ(model.requests.at(1).messages.at(1).text, "I look. Now");
}

TEST_F(ToolLoopTest, ACallOfTheCallersToolEndsTheAnswer) {
  rounds({{kOslo, kMine}});
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "tool_calls");
  EXPECT_EQ(mine->runs, 0);
  EXPECT_EQ(weather->runs, 1) << "what the model wanted from the server is done all the same";
  ASSERT_EQ(finished.calls.size(), 1u);
  EXPECT_EQ(finished.calls[0].name, "weather");
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(std::get<calls::CallBegin>(events[0]).name, "mine");
  EXPECT_EQ(std::get<calls::ArgumentsDelta>(events[1]).json + std::get<calls::ArgumentsDelta>(events[2]).json,
            kMine.arguments);
  EXPECT_EQ(model.requests.size(), 1u);
}

TEST_F(ToolLoopTest, WhatNeedsApprovalIsDenied) {
  state = fakes::state_with({weather});
  rounds({{kOslo}});
  const ChatFinished finished = answer();
  EXPECT_EQ(weather->runs, 0);
  EXPECT_EQ(finished.calls.at(0).state, CallState::denied);
  EXPECT_EQ(finished.calls.at(0).decision, "denied");
  EXPECT_NE(model.requests.at(1).messages.back().text.find("nobody can be asked"), std::string::npos);
}

TEST_F(ToolLoopTest, WhatTheRulesDenyIsDenied) {
  rounds({{kOslo}});
  const auto stream = start();
  state = fakes::state_with({weather}, {{"*", "", Decision::deny}});  // while the model writes the call
  EXPECT_EQ(finish(*stream).calls.at(0).state, CallState::denied);
  EXPECT_EQ(weather->runs, 0);
  EXPECT_NE(model.requests.at(1).messages.back().text.find("rules"), std::string::npos);
}

TEST_F(ToolLoopTest, CallsThatCannotRunAreToldAndTheAnswerGoesOn) {
  rounds(
      {{{"weahter", "{}", ""}, {"weather", "{}", ""}, {"weather", "{", "the arguments are not valid JSON"}}});
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "stop");
  EXPECT_EQ(weather->runs, 0);
  ASSERT_EQ(finished.calls.size(), 3u);
  for (const auto& call : finished.calls) EXPECT_EQ(call.state, CallState::failed);
  EXPECT_NE(finished.calls[0].result.find("Did you mean weather?"), std::string::npos);
  EXPECT_NE(finished.calls[1].result.find("city"), std::string::npos);
  EXPECT_EQ(finished.calls[2].result, "the arguments are not valid JSON");
}

TEST_F(ToolLoopTest, TheSameCallRunsOnlySoOften) {
  rounds({{kOslo}, {kOslo}, {kOslo}});
  const ChatFinished finished = answer();
  EXPECT_EQ(weather->runs, 2);
  EXPECT_NE(finished.calls.at(2).result.find("was made before"), std::string::npos);
}

TEST_F(ToolLoopTest, LongResultsOfARoundShareTheContext) {
  weather->answer_with(std::string(60'000, 'x'));
  rounds({{kOslo, {"weather", R"({"city":"Rome"})", ""}}});
  const ChatFinished finished = answer();
  ASSERT_EQ(finished.calls.size(), 2u);
  for (const auto& call : finished.calls) {
    EXPECT_LE(call.result.size(), 1024u) << "half of an eighth of 4,096 tokens of four bytes";
    EXPECT_GT(call.result.size(), 700u);
  }
}

TEST_F(ToolLoopTest, ImagesAreLeftOutAndTheModelIsToldSo) {
  weather->on_run = [](const auto&, const auto&) {
    tools::ToolResult result;
    result.images.push_back({"image/png", "bytes"});
    return result;
  };
  rounds({{kOslo}});
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.calls.at(0).result, "(Images were left out: nobody can be shown any here.)");
  EXPECT_EQ(model.requests.at(1).messages.back().text, finished.calls[0].result);
  EXPECT_EQ(finished.calls[0].images.at(0).bytes, "");
}

TEST_F(ToolLoopTest, CallsAreInTheLog) {
  rounds({{kOslo, kMine, {"nothing", "{}", ""}}});
  answer();
  desk.reset();  // waits for the file
  const auto log = tools::read_audit_log(folder.path() / "tools.log", {});
  ASSERT_EQ(log.records.size(), 1u);
  EXPECT_EQ(log.records[0].tool, "weather");
  EXPECT_EQ(log.records[0].decision, "auto");
  EXPECT_EQ(log.records[0].end, "ok");
}

TEST_F(ToolLoopTest, ADemandIsMetByTheFirstRound) {
  request.tools.choice = ToolChoice::required;
  rounds({{kOslo}});
  answer();
  EXPECT_EQ(model.requests.at(0).tools.choice, ToolChoice::required);
  EXPECT_EQ(model.requests.at(1).tools.choice, ToolChoice::automatic);
}

TEST_F(ToolLoopTest, ABeginningOfTheRequestStaysInOneMessage) {
  request.messages.push_back({prompt::Role::assistant, "Well, "});
  request.messages.back().reasoning = "They ask for weather.";
  request.continue_last = true;
  rounds({{kOslo}});
  answer();
  EXPECT_FALSE(model.requests.at(1).continue_last);
  const auto& history = model.requests.at(1).messages;
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[1].text, "Well, Hm. ");
  EXPECT_EQ(history[1].reasoning, "They ask for weather.");
  EXPECT_TRUE(history[1].token_ids.empty()) << "they are those of the second half only";
}

}  // namespace
}  // namespace parley::orchestration::turn
