#pragma once
// A tool that does what a test says, and a registry state made of such tools.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inference/json/json_writer.h"
#include "orchestration/tools/tool_registry.h"
#include "tests/fakes/eventually.h"

namespace parley::fakes {

class ScriptedTool final : public orchestration::tools::Tool {
 public:
  using Run = std::function<orchestration::tools::ToolResult(const inference::json::JsonObject&,
                                                             const orchestration::tools::CallContext&)>;

  // One string argument, which is required.
  ScriptedTool(std::string name, const std::string& argument) {
    spec_.name = std::move(name);
    spec_.description = "A tool.";
    spec_.source = "command";
    spec_.definition_hash = "hash of " + spec_.name;
    inference::json::JsonObject property;
    property["type"] = "string";
    inference::json::JsonObject properties;
    properties[argument] = std::move(property);
    spec_.parameters["type"] = "object";
    spec_.parameters["properties"] = std::move(properties);
    spec_.parameters["required"] = inference::json::JsonArray{inference::json::JsonValue(argument)};
    on_run = [](const auto& arguments, const auto&) {
      orchestration::tools::ToolResult result;
      result.text = "result of " + inference::json::to_json_text(arguments);
      return result;
    };
  }

  const orchestration::tools::ToolSpec& spec() const override { return spec_; }
  orchestration::tools::CallPreview preview(const inference::json::JsonObject& arguments) const override {
    return {"command", {spec_.name, inference::json::to_json_text(arguments)}, ""};
  }
  orchestration::tools::ToolResult run(const inference::json::JsonObject& arguments,
                                       const orchestration::tools::CallContext& context) override {
    ++runs;
    return on_run(arguments, context);
  }

  void answer_with(std::string text) {
    on_run = [text = std::move(text)](const auto&, const auto&) {
      orchestration::tools::ToolResult result;
      result.text = text;
      return result;
    };
  }

  // Runs until it is stopped, or let go.
  void wait_in_run() {
    on_run = [this](const auto&, const orchestration::tools::CallContext& context) {
      orchestration::tools::ToolResult result;
      tests::fakes::eventually([&] { return context.stop.stop_requested() || let_go.load(); },
                               std::chrono::seconds(20));
      result.text = "let go";
      if (context.stop.stop_requested()) result.status = orchestration::tools::ToolResult::Status::cancelled;
      return result;
    };
  }

  Run on_run;
  std::atomic<int> runs = 0;
  std::atomic<bool> let_go = false;

  orchestration::tools::ToolSpec spec_;
};

// A registry's state with these tools, and rules for them.
inline std::shared_ptr<const orchestration::tools::RegistryState> state_with(
    const std::vector<orchestration::tools::ToolPointer>& tools,
    std::vector<orchestration::tools::PermissionRule> permissions = {},
    orchestration::tools::ToolLimits limits = {}) {
  auto file = std::make_shared<orchestration::tools::ToolsFile>();
  file->permissions = std::move(permissions);
  file->limits = limits;
  auto state = std::make_shared<orchestration::tools::RegistryState>();
  state->tools = orchestration::tools::ToolSet(tools);
  state->file = std::move(file);
  return state;
}

}  // namespace parley::fakes
