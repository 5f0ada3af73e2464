#pragma once
// A hub whose model calls two tools that a test plays.

#include <gtest/gtest.h>

#include "orchestration/turn/tool_desk.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/hub_fixture.h"

namespace parley::orchestration::turn {
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

}  // namespace parley::orchestration::turn
