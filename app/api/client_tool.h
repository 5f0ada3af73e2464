#pragma once
// A tool that the client of a request runs itself: the model is told of it, and a call of it is handed back.
// Immutable, any thread; never fails. Never run here: `run` gives an error result that says so.

#include <memory>
#include <string>

#include "inference/json/json.h"
#include "orchestration/tools/tool.h"

namespace parley::app::api {

inline constexpr const char* kClientSource = "client";  // ToolSpec::source

struct ClientToolDefinition {
  std::string name;
  std::string description = {};
  inference::json::JsonObject parameters = {};
  bool strict = false;
};

std::shared_ptr<orchestration::tools::Tool> make_client_tool(ClientToolDefinition definition);

bool is_client_tool(const orchestration::tools::Tool& tool);

}  // namespace parley::app::api
