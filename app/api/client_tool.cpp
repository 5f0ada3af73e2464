#include "app/api/client_tool.h"

#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/definition_hash.h"

namespace parley::app::api {
namespace {

namespace tools = orchestration::tools;
using inference::json::JsonObject;

class ClientTool : public tools::Tool {
 public:
  explicit ClientTool(ClientToolDefinition definition) {
    spec_.name = std::move(definition.name);
    spec_.description = std::move(definition.description);
    spec_.parameters = std::move(definition.parameters);
    spec_.strict = definition.strict;
    spec_.source = kClientSource;
    spec_.definition_hash = tools::DefinitionHash().add(spec_).add(spec_.strict ? "strict" : "").hex();
  }

  const tools::ToolSpec& spec() const override { return spec_; }

  tools::CallPreview preview(const JsonObject& arguments) const override {
    return {.kind = kClientSource, .words = {spec_.name}, .input = inference::json::to_json_text(arguments)};
  }

  tools::ToolResult run(const JsonObject&, const tools::CallContext&) override {
    tools::ToolResult result;
    result.status = tools::ToolResult::Status::error;
    result.text =
        "The tool " + spec_.name + " belongs to the client that sent the request; it cannot run here.";
    return result;
  }

 private:
  tools::ToolSpec spec_;
};

}  // namespace

std::shared_ptr<tools::Tool> make_client_tool(ClientToolDefinition definition) {
  return std::make_shared<ClientTool>(std::move(definition));
}

bool is_client_tool(const tools::Tool& tool) { return tool.spec().source == kClientSource; }

}  // namespace parley::app::api
