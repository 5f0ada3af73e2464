#include "app/cli/document_tools.h"

#include <stdexcept>
#include <utility>

#include "inference/json/fields.h"

namespace parley::app::cli {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::tools::Tool;
using orchestration::tools::ToolSpec;

constexpr std::size_t kMaxDepth = 128;

class DocumentTool final : public Tool {
 public:
  explicit DocumentTool(ToolSpec spec) : spec_(std::move(spec)) {}
  const ToolSpec& spec() const override { return spec_; }
  orchestration::tools::CallPreview preview(const JsonObject&) const override { return {}; }
  orchestration::tools::ToolResult run(const JsonObject&, const orchestration::tools::CallContext&) override {
    orchestration::tools::ToolResult result;
    result.status = orchestration::tools::ToolResult::Status::error;
    result.text = "A tool of a document is only offered.";
    return result;
  }

 private:
  ToolSpec spec_;
};

ToolSpec read_spec(const JsonValue& item, const std::string& place) {
  const JsonObject* function = item.if_object();
  if (function != nullptr && function->if_contains("function") != nullptr) {
    function = function->at("function").if_object();
  }
  if (function == nullptr)
    throw std::runtime_error(place + " is no object; give {\"name\": …} of a function");
  ToolSpec spec;
  spec.name = inference::json::text_field(*function, "name");
  if (spec.name.empty()) throw std::runtime_error(place + ": \"name\" is missing or not a string");
  spec.description = inference::json::text_field(*function, "description");
  const JsonValue* parameters = function->if_contains("parameters");
  if (parameters != nullptr && !parameters->is_object())
    throw std::runtime_error(place + ": \"parameters\" must be a JSON Schema, an object");
  if (parameters != nullptr) spec.parameters = parameters->get_object();
  const JsonValue* strict = function->if_contains("strict");
  if (strict != nullptr && strict->is_bool()) spec.strict = strict->get_bool();
  return spec;
}

}  // namespace

std::vector<std::shared_ptr<Tool>> document_tools(const std::string& tools_json, const std::string& source) {
  std::vector<std::shared_ptr<Tool>> tools;
  if (tools_json.empty()) return tools;
  const auto parsed =
      inference::json::parse_json(tools_json, {.max_bytes = tools_json.size(), .max_depth = kMaxDepth});
  const auto* root = std::get_if<JsonValue>(&parsed);
  if (root == nullptr || !root->is_array()) throw std::runtime_error(source + ": \"tools\" must be a list");
  for (const JsonValue& item : root->get_array()) {
    const std::string place = source + ": tool " + std::to_string(tools.size() + 1);
    tools.push_back(std::make_shared<DocumentTool>(read_spec(item, place)));
  }
  return tools;
}

}  // namespace parley::app::cli
