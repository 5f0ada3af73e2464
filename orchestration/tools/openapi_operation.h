#pragma once
// One operation of an OpenAPI description as a tool: parameters and body merged into one object of arguments,
// each of which knows its place in the request. Pure, any thread; what cannot be a tool has a problem.

#include <string>
#include <string_view>

#include "inference/json/json.h"
#include "orchestration/tools/http_tool.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::tools {

// Where it stands in the document. All outlive the reading.
struct OpenApiPlace {
  const inference::json::JsonValue& document;
  std::string_view path;    // "/users/{id}"
  std::string_view method;  // "get"
  const inference::json::JsonObject& path_item;
  const inference::json::JsonObject& operation;
};

struct OpenApiOperation {
  ToolSpec spec;          // without name and source
  HttpToolConfig config;  // `config` as given, with method, the path behind the URL, body and arguments
  std::string problem;    // not empty: why it is left out, without a capital and a full stop
};

OpenApiOperation read_openapi_operation(const OpenApiPlace& place, HttpToolConfig config);

// The operationId, or "get_users_id".
std::string openapi_operation_name(const OpenApiPlace& place);

}  // namespace parley::orchestration::tools
