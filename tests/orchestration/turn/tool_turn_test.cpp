// A turn in which the model calls tools, as subscribers and the store see it.
#include <gtest/gtest.h>

#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

TEST_F(ToolTurnTest, TheResultOfACallIsGivenToTheModelWhichAnswers) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send_and_wait(id, 10, "Weather in Oslo?");
  const auto messages = path(id);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[1].text, "Let me look. ");
  EXPECT_EQ(messages[1].stop_reason, "tool_calls");
  EXPECT_EQ(messages[1].status, MessageStatus::complete);
  ASSERT_EQ(messages[1].calls.size(), 1u);
  const ToolCall& call = messages[1].calls[0];
  EXPECT_EQ(call.name, "weather");
  EXPECT_EQ(call.arguments, kInOslo);
  EXPECT_EQ(call.state, CallState::done);
  EXPECT_EQ(call.decision, "auto");
  EXPECT_EQ(call.result, R"(result of {"city":"Oslo"})");
  EXPECT_EQ(messages[2].text, "It rains.");
  EXPECT_EQ(messages[2].parent, messages[1].id);
  ASSERT_EQ(model_.requests.size(), 2u);
  const auto& history = model_.requests[1].messages;
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[1].calls.at(0).arguments, kInOslo);
  EXPECT_EQ(history[2].role, Role::tool);
  EXPECT_EQ(history[2].text, call.result);
  EXPECT_EQ(history[2].call_id, history[1].calls[0].id);
  io_.run_until([&] {
    return client.view().messages.size() == 3 && client.view().last().status == MessageStatus::complete;
  });
  EXPECT_EQ(call_of(client).arguments, kInOslo);
  EXPECT_EQ(call_of(client).state, CallState::done);
}

TEST_F(ToolTurnTest, SubscribersSeeArgumentsGrow) {
  std::vector<std::string> seen;
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  weather_->wait_in_run();
  send(id, 10);
  io_.run_until([&] {
    const auto& messages = client.view().messages;
    if (messages.size() > 1 && !messages[1].calls.empty()) {
      const std::string& now = messages[1].calls[0].arguments;
      if (seen.empty() || seen.back() != now) seen.push_back(now);
    }
    return has_call_in(client, CallState::running);
  });
  EXPECT_GE(seen.size(), 2u);
  EXPECT_EQ(seen.back(), kInOslo);
  EXPECT_EQ(look(id).last().calls.at(0).arguments, kInOslo);
  weather_->let_go = true;
  wait_for_end(id);
}

TEST_F(ToolTurnTest, CallsRunTogetherAndResultsKeepTheirOrder) {
  allow_all();
  rounds({{{"weather", kInOslo, ""}, {"clock", R"({"zone":"UTC"})", ""}}});
  weather_->wait_in_run();
  clock_->on_run = [this](const auto&, const auto&) {
    weather_->let_go = true;  // only when both run at once
    ToolResult result;
    result.text = "noon";
    return result;
  };
  const auto id = create();
  send_and_wait(id, 10);
  const auto calls = path(id).at(1).calls;
  EXPECT_EQ(calls.at(0).result, "let go");
  EXPECT_EQ(calls.at(1).result, "noon");
}

TEST_F(ToolTurnTest, UnknownToolsBadArgumentsAndBrokenCallsAreResults) {
  rounds({{{"wether", kInOslo, ""},
           {"weather", R"({"town":"Oslo"})", ""},
           {"weather", R"({"city":)", ""},
           {"weather", "{", "the arguments are not valid JSON"}}});
  const auto id = create();
  send_and_wait(id, 10);
  const auto calls = path(id).at(1).calls;
  EXPECT_EQ(calls.at(0).result, "There is no tool named wether. Did you mean weather?");
  EXPECT_NE(calls.at(1).result.find("town"), std::string::npos);
  EXPECT_NE(calls.at(1).result.find("city"), std::string::npos);
  EXPECT_NE(calls.at(2).result.find("not valid JSON"), std::string::npos);
  EXPECT_EQ(calls.at(3).result, "the arguments are not valid JSON");
  for (const auto& call : calls) EXPECT_EQ(call.state, CallState::failed);
  EXPECT_EQ(weather_->runs, 0);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

TEST_F(ToolTurnTest, TheThirdIdenticalCallIsRefused) {
  const std::vector<ScriptedCall> one = {{"weather", kInOslo, ""}};
  rounds({one, one, {{"weather", R"({ "city" : "Oslo" })", ""}}});
  const auto id = create();
  send_and_wait(id, 10);
  EXPECT_EQ(weather_->runs, 2);
  EXPECT_EQ(path(id).at(3).calls.at(0).state, CallState::failed);
  EXPECT_NE(path(id).at(3).calls[0].result.find("made before"), std::string::npos);
}

TEST_F(ToolTurnTest, AfterTheLastRoundTheUserMayHaveItGoOn) {
  tools::ToolLimits limits;
  limits.max_rounds = 2;
  state_ = fakes::state_with({weather_}, {{"*", "", Decision::automatic}}, limits);
  rounds({{{"weather", kInOslo, ""}}, {{"weather", R"({"city":"Rome"})", ""}}});
  const auto id = create();
  send_and_wait(id, 10);
  auto messages = path(id);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[2].stop_reason, "tool_calls");
  EXPECT_EQ(messages[2].status, MessageStatus::complete);
  EXPECT_EQ(messages[2].error,
            "Tools were called in 2 rounds, the limit for one answer. Continue lets the model go on.");
  EXPECT_EQ(weather_->runs, 2);
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, messages[2].id)));
  wait_for_end(id);
  messages = path(id);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[3].text, "It rains.");
}

TEST_F(ToolTurnTest, ProgressIsToldWhileACallRuns) {
  weather_->on_run = [](const auto&, const tools::CallContext& context) {
    context.progress({"half", 0.5});
    ToolResult result;
    result.text = "ok";
    return result;
  };
  const auto id = create();
  send_and_wait(id, 10);
  EXPECT_EQ(path(id).at(1).calls.at(0).result, "ok");
}

TEST_F(ToolTurnTest, ALongResultIsShortenedForTheModelAndKept) {
  weather_->on_run = [](const auto&, const auto&) {
    ToolResult result;
    result.text = std::string(60000, 'x');
    return result;
  };
  const auto id = create();
  send_and_wait(id, 10);
  const auto call = path(id).at(1).calls.at(0);
  EXPECT_LT(call.result.size(), 8100u);  // 2,000 tokens of the fake's four bytes
  EXPECT_GT(call.result.size(), 6000u);
  EXPECT_EQ(call.output_bytes, 60000u);
}

TEST_F(ToolTurnTest, CallsOfAnAnswerThatWasCutDoNotRun) {
  model_.answer = [](const ChatRequest&) {
    ChatScript script;
    script.calls = {{"weather", kInOslo, ""}};
    script.stop_reason = "length";
    return script;
  };
  const auto id = create();
  send_and_wait(id, 10);
  EXPECT_EQ(weather_->runs, 0);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::cancelled);
  EXPECT_EQ(path(id).at(1).stop_reason, "length");
}

TEST_F(ToolTurnTest, WhatWasCalledIsInTheLog) {
  const auto id = create();
  send_and_wait(id, 10);
  const auto file = folder_.path() / "tools.log";
  io_.run_until([&] { return tools::read_audit_log(file, {}).records.size() == 1; });
  const auto record = tools::read_audit_log(file, {}).records[0];
  EXPECT_EQ(record.tool, "weather");
  EXPECT_EQ(record.chat, id);
  EXPECT_EQ(record.decision, "auto");
  EXPECT_EQ(record.end, "ok");
}

TEST_F(ToolTurnTest, AnAnswerToAnAnswerOfTheTurnCanBeGeneratedAgain) {
  const auto id = create();
  send_and_wait(id, 10);
  const auto last = path(id).at(2).id;
  round_ = 1;
  value_of(io_.run(hub_->regenerate(make_uuid(), id, last)));
  wait_for_end(id);
  EXPECT_EQ(path(id).size(), 3u);
  EXPECT_NE(path(id)[2].id, last);
  EXPECT_EQ(model_.requests.back().messages.back().role, Role::tool);
}

}  // namespace
}  // namespace parley::orchestration::turn
