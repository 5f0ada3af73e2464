#pragma once
// Tools that are only offered, never run.

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::turn {

class ToyTool final : public tools::Tool {
 public:
  ToyTool(std::string name, std::string description, std::string_view parameters, bool strict) {
    spec_.name = std::move(name);
    spec_.description = std::move(description);
    auto schema = inference::json::parse_json(parameters, {.max_bytes = parameters.size()});
    spec_.parameters = std::get<inference::json::JsonValue>(std::move(schema)).get_object();
    spec_.strict = strict;
  }
  const tools::ToolSpec& spec() const override { return spec_; }
  tools::CallPreview preview(const inference::json::JsonObject&) const override { return {}; }
  tools::ToolResult run(const inference::json::JsonObject&, const tools::CallContext&) override {
    throw std::logic_error("not to be run");
  }

 private:
  tools::ToolSpec spec_;
};

inline std::vector<std::shared_ptr<tools::Tool>> toy_tools(bool strict = true) {
  return {std::make_shared<ToyTool>("get_weather", "The weather of a city. Not for the past.",
                                    R"({"type":"object","properties":{"city":{"type":"string"}},
                                        "required":["city"]})",
                                    strict),
          std::make_shared<ToyTool>("calculator", "Computes an expression",
                                    R"({"type":"object","properties":{"expression":{"type":"string"}}})",
                                    strict)};
}

}  // namespace parley::orchestration::turn
