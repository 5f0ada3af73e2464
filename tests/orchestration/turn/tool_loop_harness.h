#pragma once
// A chat in which the model's calls run here and nobody can be asked, for tests of the loop.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orchestration/turn/tool_loop.h"
#include "tests/fakes/scripted_chat_model.h"
#include "tests/fakes/scripted_tool.h"
#include "tests/fakes/temp_directory.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {

inline constexpr const char* kOsloAsked = R"({"city":"Oslo"})";
inline const fakes::ScriptedCall kOslo = {"weather", kOsloAsked, ""};
inline const fakes::ScriptedCall kMine = {"mine", R"({"what":"a window"})", ""};

struct ToolLoopHarness : testing::Test {
  ToolLoopHarness() : model(io.executor()) {
    ToolDeskParts parts;
    parts.current = [this] { return state; };
    parts.audit_file = folder.path() / "tools.log";
    desk = std::make_unique<ToolDesk>(io.executor(), std::move(parts));
    request.messages.push_back({prompt::Role::user, "Weather?"});
    request.tools.tools = {weather, mine};
  }
  // One list of calls for each round; then "It rains."
  void rounds(std::vector<std::vector<fakes::ScriptedCall>> calls) {
    model.answer = [this, calls = std::move(calls)](const ChatRequest&) {
      fakes::ChatScript script;
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
    state = fakes::state_with({weather}, {{"*", "", tools::Decision::automatic}}, limits);
  }

  tests::fakes::TempDirectory folder;
  IoDriver io;
  fakes::ScriptedChatModel model;
  std::shared_ptr<fakes::ScriptedTool> weather = std::make_shared<fakes::ScriptedTool>("weather", "city");
  std::shared_ptr<fakes::ScriptedTool> mine = std::make_shared<fakes::ScriptedTool>("mine", "what");
  std::shared_ptr<const tools::RegistryState> state =
      fakes::state_with({weather}, {{"*", "", tools::Decision::automatic}});
  std::unique_ptr<ToolDesk> desk;
  ChatRequest request;
  std::string prose = "Hm. ";
  std::size_t round = 0;
  std::string text;
  std::string reasoning;
  std::vector<calls::CallEvent> events;
};

}  // namespace parley::orchestration::turn
