// A turn in which the model calls tools, as subscribers and the store see it.
#include <gtest/gtest.h>

#include "orchestration/turn/tool_desk.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
namespace {

using fakes::ScriptedCall;
using fakes::ScriptedTool;
using prompt::ChatMessage;
using prompt::Role;
using sessions::CallState;
using sessions::ToolCall;
using tools::Decision;
using tools::ToolResult;

constexpr const char* kInOslo = R"({"city":"Oslo"})";

// A model that calls as long as the script has rounds, then answers in prose.
class ToolTurnTest : public HubTest {
 protected:
  void SetUp() override {
    model_.set_profile(ToolProfile::native);
    state_ = fakes::state_with({weather_, clock_}, {{"weather", "", Decision::automatic}});
    ToolDeskParts parts;
    parts.current = [this] { return state_; };
    parts.approvals_file = folder_.path() / "approvals.json";
    parts.audit_file = folder_.path() / "tools.log";
    desk_ = std::make_unique<ToolDesk>(io_.executor(), std::move(parts));
    options_.tools = desk_.get();
    HubTest::SetUp();
    rounds({{{"weather", kInOslo, ""}}});
  }
  void TearDown() override {
    weather_->let_go = true;
    clock_->let_go = true;
    HubTest::TearDown();
  }

  // One list of calls for each round; then "It rains."
  void rounds(std::vector<std::vector<ScriptedCall>> calls) {
    model_.answer = [this, calls = std::move(calls)](const ChatRequest&) {
      ChatScript script;
      if (round_ < calls.size()) {
        script.pieces = {"Let me look. "};
        script.calls = calls[round_++];
        script.stop_reason = "tool_calls";
      } else {
        script.pieces = {"It ", "rains."};
      }
      return script;
    };
  }
  void allow_all() { state_ = fakes::state_with({weather_, clock_}, {{"*", "", Decision::automatic}}); }

  // The server ends and begins anew over the same store.
  void restart() {
    io_.run(hub_->shut_down(std::chrono::milliseconds(0)));
    hub_ = make_conversation_hub(*store_, store_thread_, model_, io_.executor(), options_);
  }

  std::vector<Message> path(const std::string& conversation) {
    return ask_store([&](auto& store) {
      const auto leaf = store.find(conversation).value().active_leaf;
      return store.path(conversation, leaf, 100).items;
    });
  }
  ToolCall& call_of(FollowingClient& client, std::size_t index = 0) {
    return client.view().messages.at(1).calls.at(index);
  }
  bool has_call_in(FollowingClient& client, CallState state, std::size_t index = 0) {
    const auto& messages = client.view().messages;
    return messages.size() > 1 && messages[1].calls.size() > index && messages[1].calls[index].state == state;
  }
  CommandResult<Done> decide(FollowingClient& client, CallDecision decision, std::string call = {}) {
    DecideCommand command;
    command.id = make_uuid();
    command.conversation = test_uuid(1);
    command.message = client.view().messages.at(1).id;
    command.call = call.empty() ? call_of(client).id : std::move(call);
    command.decision = decision;
    return io_.run(hub_->decide(std::move(command)));
  }
  CommandResult<Done> cancel(FollowingClient& client) {
    CancelCallCommand command;
    command.id = make_uuid();
    command.conversation = test_uuid(1);
    command.message = client.view().messages.at(1).id;
    command.call = call_of(client).id;
    return io_.run(hub_->cancel_call(std::move(command)));
  }

  tests::fakes::TempDirectory folder_;
  std::shared_ptr<ScriptedTool> weather_ = std::make_shared<ScriptedTool>("weather", "city");
  std::shared_ptr<ScriptedTool> clock_ = std::make_shared<ScriptedTool>("clock", "zone");
  std::shared_ptr<const tools::RegistryState> state_;
  std::unique_ptr<ToolDesk> desk_;
  std::size_t round_ = 0;
};

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

TEST_F(ToolTurnTest, ACallThatNobodyAllowedWaits) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  EXPECT_EQ(call_of(client).preview.words.at(0), "clock");
  io_.run_for(std::chrono::milliseconds(50));
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::awaiting_approval);
  EXPECT_EQ(error_of(decide(client, CallDecision::once, test_uuid(77))).code, Code::not_found);
  value_of(decide(client, CallDecision::once));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(path(id).at(1).calls.at(0).decision, "once");
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

TEST_F(ToolTurnTest, ADeniedCallIsAResultThatTheModelReads) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(decide(client, CallDecision::deny));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 0);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::denied);
  EXPECT_NE(model_.requests.at(1).messages.back().text.find("did not allow"), std::string::npos);
}

TEST_F(ToolTurnTest, AllowedForTheChatIsAllowedTheNextTimeAndOnlyThere) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}, {{"clock", R"({"zone":"CET"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(decide(client, CallDecision::chat));
  wait_for_end(id);
  EXPECT_EQ(path(id).at(2).calls.at(0).decision, "auto");
  EXPECT_EQ(clock_->runs, 2);
  EXPECT_EQ(desk_->decide(clock_->spec(), "another chat"), Decision::ask);
}

TEST_F(ToolTurnTest, OneAnswerServesAllCallsOfThatToolThatWait) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}, {"clock", R"({"zone":"CET"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval, 1); });
  value_of(decide(client, CallDecision::always));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 2);
  EXPECT_EQ(path(id).at(1).calls.at(1).decision, "always");
}

TEST_F(ToolTurnTest, ADeniedToolIsNotOffered) {
  state_ = fakes::state_with({weather_, clock_}, {{"clock", "", Decision::deny}});
  rounds({});
  const auto id = create();
  send_and_wait(id, 10);
  ASSERT_EQ(model_.requests.at(0).tools.tools.size(), 1u);
  EXPECT_EQ(model_.requests[0].tools.tools[0]->spec().name, "weather");
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
  EXPECT_EQ(weather_->runs, 2);
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, messages[2].id)));
  wait_for_end(id);
  messages = path(id);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[3].text, "It rains.");
}

TEST_F(ToolTurnTest, StopEndsACallThatRuns) {
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

TEST_F(ToolTurnTest, StopEndsACallThatWaitsForTheUser) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  FollowingClient client(io_, *hub_, id);
  send(id, 10);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  value_of(io_.run(hub_->stop(make_uuid(), id)));
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::cancelled);
  EXPECT_EQ(clock_->runs, 0);
}

TEST_F(ToolTurnTest, AStoppedTurnGoesOnWithWhatItHas) {
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

TEST_F(ToolTurnTest, OneCallCanBeCancelledAndTheTurnGoesOn) {
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

TEST_F(ToolTurnTest, ACallThatWaitsIsStillThereAfterARestartAndRunsOnceAllowed) {
  rounds({{{"clock", R"({"zone":"UTC"})", ""}}});
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  }
  restart();
  EXPECT_EQ(path(id).at(1).status, MessageStatus::interrupted);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::awaiting_approval);
  FollowingClient client(io_, *hub_, id);
  io_.run_until([&] { return has_call_in(client, CallState::awaiting_approval); });
  EXPECT_EQ(error_of(io_.run(hub_->continue_answer(make_uuid(), id, path(id)[1].id))).code, Code::conflict);
  value_of(decide(client, CallDecision::once));
  wait_for_end(id);
  EXPECT_EQ(clock_->runs, 1);
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::done);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

TEST_F(ToolTurnTest, ACallThatRanWhenTheServerEndedIsNotRunAgain) {
  weather_->wait_in_run();
  const auto id = create();
  {
    FollowingClient client(io_, *hub_, id);
    send(id, 10);
    io_.run_until([&] { return has_call_in(client, CallState::running); });
  }
  restart();
  EXPECT_EQ(path(id).at(1).calls.at(0).state, CallState::interrupted);
  const auto answer = path(id)[1].id;
  value_of(io_.run(hub_->continue_answer(make_uuid(), id, answer)));
  wait_for_end(id);
  EXPECT_EQ(weather_->runs, 1);
  EXPECT_NE(model_.requests.back().messages.back().text.find("not known"), std::string::npos);
  EXPECT_EQ(path(id).at(2).text, "It rains.");
}

}  // namespace
}  // namespace parley::orchestration::turn
