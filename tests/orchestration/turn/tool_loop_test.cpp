// A chat in which the model's calls run here and nobody can be asked.
#include "orchestration/turn/tool_loop.h"

#include <gtest/gtest.h>

#include "tests/fakes/scripted_chat_model.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using fakes::ChatScript;
using fakes::ScriptedCall;
using sessions::CallState;
using tools::Decision;

constexpr const char* kOsloAsked = R"({"city":"Oslo"})";
const ScriptedCall kOslo = {"weather", kOsloAsked, ""};
const ScriptedCall kMine = {"mine", R"({"what":"a window"})", ""};

struct ToolLoopTest : testing::Test {
  ToolLoopTest() : model(io.executor()) {
    ToolDeskParts parts;
    parts.current = [this] { return state; };
    parts.audit_file = folder.path() / "tools.log";
    desk = std::make_unique<ToolDesk>(io.executor(), std::move(parts));
    request.messages.push_back({prompt::Role::user, "Weather?"});
    request.tools.tools = {weather, mine};
  }
  // One list of calls for each round; then "It rains."
  void rounds(std::vector<std::vector<ScriptedCall>> calls) {
    model.answer = [this, calls = std::move(calls)](const ChatRequest&) {
      ChatScript script;
      if (round < calls.size()) {
        script.pieces = {prose};
        script.calls = calls[round++];
        script.stop_reason = "tool_calls";
      } else {
        script.pieces = {"It ", "rains."};
      }
      return script;
    };
  }
  std::unique_ptr<ChatStream> start() {
    const auto is_callers = [this](const tools::Tool& tool) { return &tool == mine.get(); };
    auto begun = io.run(start_tool_loop(model, *desk, io.executor(), request, is_callers));
    return std::get<std::unique_ptr<ChatStream>>(std::move(begun));
  }
  ChatFinished finish(ChatStream& stream) {
    for (;;) {
      ChatEvent event = io.run(stream.next());
      if (auto* finished = std::get_if<ChatFinished>(&event)) return std::move(*finished);
      const auto& delta = std::get<ChatDelta>(event);
      events.insert(events.end(), delta.calls.begin(), delta.calls.end());
      text += delta.text;
      reasoning += delta.reasoning;
    }
  }
  ChatFinished answer() {
    const auto stream = start();
    return finish(*stream);
  }
  void limit(tools::ToolLimits limits) {
    limits.repeat_limit = 100;
    state = fakes::state_with({weather}, {{"*", "", Decision::automatic}}, limits);
  }

  tests::fakes::TempDirectory folder;
  IoDriver io;
  fakes::ScriptedChatModel model;
  std::shared_ptr<fakes::ScriptedTool> weather = std::make_shared<fakes::ScriptedTool>("weather", "city");
  std::shared_ptr<fakes::ScriptedTool> mine = std::make_shared<fakes::ScriptedTool>("mine", "what");
  std::shared_ptr<const tools::RegistryState> state =
      fakes::state_with({weather}, {{"*", "", Decision::automatic}});
  std::unique_ptr<ToolDesk> desk;
  ChatRequest request;
  std::string prose = "Hm. ";
  std::size_t round = 0;
  std::string text;
  std::string reasoning;
  std::vector<calls::CallEvent> events;
};

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

TEST_F(ToolLoopTest, RoundsAreCapped) {
  limit({.max_rounds = 2});
  rounds(std::vector<std::vector<ScriptedCall>>(5, {kOslo}));
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_NE(finished.limit.find("2 rounds"), std::string::npos);
  EXPECT_EQ(finished.calls.size(), 2u);
  EXPECT_EQ(weather->runs, 2);
}

TEST_F(ToolLoopTest, TimeIsCapped) {
  limit({.loop_wall_time = std::chrono::milliseconds(0)});
  rounds({{kOslo}});
  const ChatFinished finished = answer();
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_NE(finished.limit.find("time limit"), std::string::npos);
}

TEST_F(ToolLoopTest, TokensAreThoseOfAllRounds) {
  request.options.max_tokens = 2;
  rounds({{kOslo}, {kOslo}});
  const ChatFinished finished = answer();
  ASSERT_EQ(model.requests.size(), 2u);
  EXPECT_EQ(model.requests[1].options.max_tokens, 1);
  EXPECT_EQ(finished.stop_reason, "length");
  EXPECT_EQ(finished.calls.size(), 2u);
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
  request.continue_last = true;
  rounds({{kOslo}});
  answer();
  EXPECT_FALSE(model.requests.at(1).continue_last);
  const auto& history = model.requests.at(1).messages;
  ASSERT_EQ(history.size(), 3u);
  EXPECT_EQ(history[1].text, "Well, Hm. ");
  EXPECT_TRUE(history[1].token_ids.empty()) << "they are those of the second half only";
}

TEST_F(ToolLoopTest, CancelEndsCallsThatRun) {
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

TEST_F(ToolLoopTest, CallsOfADroppedAnswerEnd) {
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

TEST_F(ToolLoopTest, AModelThatRefusesToGoOnIsALimitSinceToolsHaveRun) {
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

}  // namespace
}  // namespace parley::orchestration::turn
