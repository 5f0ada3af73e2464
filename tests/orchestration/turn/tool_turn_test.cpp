// A turn in which the model calls tools, as subscribers and the store see it.
#include <gtest/gtest.h>

#include "tests/orchestration/turn/tool_turn_fixture.h"

namespace parley::orchestration::turn {
namespace {

sessions::UnixMillis core_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

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

TEST_F(ToolTurnTest, ReasoningThatGoesOverIntoACallIsClosed) {
  ChatScript script;
  script.reasoning = "Hm.";
  script.calls = {{"weather", kInOslo, ""}};
  script.stop_reason = "tool_calls";
  model_.answer = [this, script](const ChatRequest&) { return round_++ == 0 ? script : ChatScript(); };
  weather_->wait_in_run();
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::running); });
  EXPECT_EQ(client.view().messages.at(1).text, "<think>Hm.</think>\n\n");
  weather_->let_go = true;
  wait_for_end(id);
  EXPECT_EQ(path(id).at(1).text, "<think>Hm.</think>\n\n");
  const ChatMessage& given = model_.requests.at(1).messages.at(1);
  EXPECT_EQ(given.reasoning, "Hm.");
  EXPECT_EQ(given.text, "");
  EXPECT_EQ(given.calls.size(), 1u);
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

TEST_F(ToolTurnTest, SubscribersSeeThatACallIsBeingPrepared) {
  ChatScript script;
  script.pieces = {"Sure. "};
  script.holds_back = true;
  script.until_cancelled = true;
  answer_with(script);
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  const std::string answer = send(id, 10);
  io_.run_until([&] { return client.view().preparing == answer; });
  EXPECT_EQ(client.view().last().text, "Sure. ");
  FollowingClient second(io_, *hub_, id);
  io_.run_until([&] { return second.view().preparing == answer; });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  io_.run_until([&] { return client.view().preparing.empty(); });
  EXPECT_EQ(client.view().num_preparing, 1);
}

TEST_F(ToolTurnTest, ACallThatRunsTellsSinceWhen) {
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  weather_->wait_in_run();
  const auto before = core_time();
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::running); });
  const auto since = call_of(client).started_at;
  EXPECT_GE(since, before);
  EXPECT_LE(since, core_time() + 1000) << "the hub's clock never stands still";
  EXPECT_EQ(look(id).last().calls.at(0).started_at, since) << "of a reload, or a second tab";
  weather_->let_go = true;
  wait_for_end(id);
  io_.run_until([&] { return has_call_in(client, CallState::done); });
  EXPECT_EQ(call_of(client).started_at, 0);
}

TEST_F(ToolTurnTest, CallsAreInTheLogThatClientsRead) {
  const auto id = create();
  send_and_wait(id, 10);
  AuditRequest request;
  request.limit = 10;
  const auto page = value_of(io_.run(hub_->read_audit(request)));
  ASSERT_EQ(page.entries.size(), 1u);
  EXPECT_EQ(page.entries[0].record.tool, "weather");
  EXPECT_EQ(page.entries[0].record.chat, id);
  EXPECT_EQ(page.entries[0].record.end, "ok");
  std::filesystem::remove(folder_.path() / "tools.log");
  std::filesystem::create_directory(folder_.path() / "tools.log");
  EXPECT_EQ(error_of(io_.run(hub_->read_audit(request))).code, Code::unavailable);
  options_.tools = nullptr;
  restart();
  EXPECT_TRUE(value_of(io_.run(hub_->read_audit(request))).entries.empty());
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

// However fast it comes, what a tool said last is seen while it is silent.
TEST_F(ToolTurnTest, TheNewestProgressIsToldWhileACallRuns) {
  weather_->on_run = [this](const auto&, const tools::CallContext& context) {
    for (int i = 0; i < 20'000; ++i) context.progress({"line " + std::to_string(i), std::nullopt});
    context.progress({"half", 0.5});
    tests::fakes::eventually([&] { return weather_->let_go.load(); }, std::chrono::seconds(20));
    context.progress({"nearly", 0.9});
    ToolResult result;
    result.text = "ok";
    return result;
  };
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return client.view().progress.message == "half"; });
  EXPECT_EQ(client.view().progress.fraction, 0.5);
  EXPECT_LT(client.view().sequence(), 100u) << "not an event for each line";
  weather_->let_go = true;
  io_.run_until([&] { return has_call_in(client, CallState::done); });
  EXPECT_EQ(client.view().progress.message, "nearly") << "told with the end of the call";
  wait_for_end(id);
  EXPECT_EQ(path(id).at(1).calls.at(0).result, "ok");
}

TEST_F(ToolTurnTest, ALongResultIsShortenedForTheModelAndKept) {
  weather_->answer_with(std::string(60'000, 'x'));
  const auto id = create();
  send_and_wait(id, 10);
  const auto call = path(id).at(1).calls.at(0);
  EXPECT_LE(call.result.size(), 2048u);  // an eighth of 4,096 tokens, which are the fake's four bytes
  EXPECT_GT(call.result.size(), 1500u);
  EXPECT_EQ(call.output_bytes, 60'000u);
}

TEST_F(ToolTurnTest, TheLimitOfTheFileHoldsWhereTheContextIsLarge) {
  weather_->answer_with(std::string(60'000, 'x'));
  model_.set_max_context(32'768);
  const auto id = create();
  send_and_wait(id, 10);
  EXPECT_LE(path(id).at(1).calls.at(0).result.size(), 8000u);
  EXPECT_GT(path(id).at(1).calls.at(0).result.size(), 6000u);
}

TEST_F(ToolTurnTest, LongResultsOfARoundShareTheContext) {
  weather_->answer_with(std::string(60'000, 'x'));
  const std::vector<std::string> cities = {"Oslo", "Rome", "Paris", "Bern"};
  std::vector<ScriptedCall> calls;
  for (const std::string& city : cities) calls.push_back({"weather", R"({"city":")" + city + "\"}", ""});
  rounds({calls});
  const auto id = create();
  send_and_wait(id, 10);
  std::size_t together = 0;
  const auto answers = path(id);
  for (const auto& call : answers.at(1).calls) {
    EXPECT_GT(call.result.size(), 300u);
    together += call.result.size();
  }
  EXPECT_LE(together, 2048u);
  EXPECT_EQ(answers.at(2).text, "It rains.");
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
