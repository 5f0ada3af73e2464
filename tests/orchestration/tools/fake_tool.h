#pragma once
// A tool with a chosen spec that answers with its arguments.

#include <memory>
#include <string>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/tool_set.h"

namespace parley::orchestration::tools {

inline ToolSpec spec_of(std::string name, std::string source = "command", std::string hash = "h") {
  ToolSpec spec;
  spec.name = std::move(name);
  spec.source = std::move(source);
  spec.definition_hash = std::move(hash);
  return spec;
}

class FakeTool : public Tool {
 public:
  explicit FakeTool(ToolSpec spec) : spec_(std::move(spec)) {}
  const ToolSpec& spec() const override { return spec_; }
  CallPreview preview(const inference::json::JsonObject&) const override { return {}; }
  ToolResult run(const inference::json::JsonObject& arguments, const CallContext&) override {
    ToolResult result;
    result.text = inference::json::to_json_text(arguments);
    return result;
  }

 private:
  ToolSpec spec_;
};

inline ToolPointer fake_tool(std::string name, std::string source = "command") {
  return std::make_shared<FakeTool>(spec_of(std::move(name), std::move(source)));
}

}  // namespace parley::orchestration::tools
