// A chat in which the model's calls run here and nobody can be asked.
#include "orchestration/turn/tool_loop.h"

#include <gtest/gtest.h>

#include "tests/fakes/scripted_chat_model.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

using fakes::ChatScript;
using fakes::ScriptedCall;
using sessions::CallState;
using tools::Decision;

constexpr const char* kOsloAsked = R"({"city":"Oslo"})";

struct ToolLoopTest : testing::Test {
  ToolLoopTest() : model(io.executor()) {
    ToolDeskParts parts;
    parts.current = [this] { return state; };
    desk = std::make_unique<ToolDesk>(io.executor(), std::move(parts));
  }
  // One list of calls for each round; then "It rains."
  void rounds(std::vector<std::vector<ScriptedCall>> calls) {
    model.answer = [this, calls = std::move(calls)](const ChatRequest&) {
      ChatScript script;
      if (round < calls.size()) {
        script.pieces = {"Hm. "};
        script.calls = calls[round++];
        script.stop_reason = "tool_calls";
      } else {
        script.pieces = {"It ", "rains."};
      }
      return script;
    };
  }
  std::unique_ptr<ChatStream> start() {
    ChatRequest request;
    request.messages.push_back({prompt::Role::user, "Weather?"});
    request.tools.tools = {weather};
    auto begun = io.run(start_tool_loop(model, *desk, io.executor(), std::move(request)));
    return std::get<std::unique_ptr<ChatStream>>(std::move(begun));
  }
  ChatFinished finish(ChatStream& stream) {
    for (;;) {
      ChatEvent event = io.run(stream.next());
      if (auto* finished = std::get_if<ChatFinished>(&event)) return std::move(*finished);
      const auto& delta = std::get<ChatDelta>(event);
      EXPECT_TRUE(delta.calls.empty());
      text += delta.text;
    }
  }

  IoDriver io;
  fakes::ScriptedChatModel model;
  std::shared_ptr<fakes::ScriptedTool> weather = std::make_shared<fakes::ScriptedTool>("weather", "city");
  std::shared_ptr<const tools::RegistryState> state =
      fakes::state_with({weather}, {{"*", "", Decision::automatic}});
  std::unique_ptr<ToolDesk> desk;
  std::size_t round = 0;
  std::string text;
};

TEST_F(ToolLoopTest, IsOneAnswerToTheCaller) {
  rounds({{{"weather", kOsloAsked, ""}, {"weather", R"({"city":"Rome"})", ""}}});
  const auto stream = start();
  const ChatFinished finished = finish(*stream);
  EXPECT_EQ(text, "Hm. It rains.");
  EXPECT_EQ(finished.stop_reason, "stop");
  ASSERT_EQ(finished.calls.size(), 2u);
  EXPECT_EQ(finished.calls[1].result, R"(result of {"city":"Rome"})");
  EXPECT_EQ(finished.calls[1].state, CallState::done);
  EXPECT_EQ(finished.usage.completion_tokens, 3);
  ASSERT_EQ(model.requests.size(), 2u);
  const auto& history = model.requests[1].messages;
  ASSERT_EQ(history.size(), 4u);
  EXPECT_EQ(history[1].text, "Hm. ");
  EXPECT_EQ(history[1].token_ids.size(), 5u);
  EXPECT_EQ(history[1].calls.size(), 2u);
  EXPECT_EQ(history[3].call_id, history[1].calls[1].id);
}

TEST_F(ToolLoopTest, WhatNeedsApprovalIsDenied) {
  state = fakes::state_with({weather});
  rounds({{{"weather", kOsloAsked, ""}}});
  const auto stream = start();
  const ChatFinished finished = finish(*stream);
  EXPECT_EQ(weather->runs, 0);
  EXPECT_EQ(finished.calls.at(0).state, CallState::denied);
  EXPECT_NE(model.requests.at(1).messages.back().text.find("nobody can be asked"), std::string::npos);
}

TEST_F(ToolLoopTest, RoundsAreCapped) {
  tools::ToolLimits limits;
  limits.max_rounds = 2;
  limits.repeat_limit = 100;
  state = fakes::state_with({weather}, {{"*", "", Decision::automatic}}, limits);
  rounds(std::vector<std::vector<ScriptedCall>>(5, {{"weather", kOsloAsked, ""}}));
  const auto stream = start();
  EXPECT_EQ(finish(*stream).stop_reason, "tool_calls");
  EXPECT_EQ(weather->runs, 2);
}

TEST_F(ToolLoopTest, CancelEndsCallsThatRun) {
  rounds({{{"weather", kOsloAsked, ""}}});
  weather->on_run = [&](const auto&, const tools::CallContext& context) {
    tools::ToolResult result;
    tests::fakes::eventually([&] { return context.stop.stop_requested(); }, std::chrono::seconds(20));
    result.status = tools::ToolResult::Status::cancelled;
    return result;
  };
  const auto stream = start();
  boost::asio::steady_timer timer(io.executor(), std::chrono::milliseconds(50));
  timer.async_wait([&](const boost::system::error_code&) { stream->cancel(); });
  EXPECT_EQ(finish(*stream).stop_reason, "stopped");
  EXPECT_EQ(model.requests.size(), 1u);
}

TEST_F(ToolLoopTest, AModelThatRefusesToGoOnIsAnError) {
  rounds({{{"weather", kOsloAsked, ""}}});
  auto answer = model.answer;
  model.answer = [&, answer](const ChatRequest& request) {
    ChatScript script = answer(request);
    if (model.requests.size() == 2)
      script.rejection = ChatRejection{ChatRejection::Kind::queue_full, "Full.", 0, 0};
    return script;
  };
  const auto stream = start();
  EXPECT_EQ(finish(*stream).error, "Full.");
}

}  // namespace
}  // namespace parley::orchestration::turn
