#pragma once
// A tool as a server describes it. All of it is the word of a stranger. Plain values and functions, any
// thread; never fails.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::mcp {

// An argument that is sent as a header too (x-mcp-header): where it is in the arguments, and the header.
struct HeaderArgument {
  std::vector<std::string> path;
  std::string header;  // "Mcp-Param-Region"
};

struct ToolDefinition {
  std::string name;         // raw: 1 to 256 bytes of any UTF-8
  std::string title;        // plain text, may be empty
  std::string description;  // plain text, may be empty
  inference::json::JsonObject input_schema;
  std::vector<HeaderArgument> header_arguments;
  // All that the server said of it, in one canonical text (keys in order): equal texts are equal tools.
  std::string canonical;
};

// A sentence when the tool cannot be used.
std::variant<ToolDefinition, std::string> read_tool_definition(const inference::json::JsonValue& value);

// JSON with the keys of every object in byte order.
std::string canonical_text(const inference::json::JsonValue& value);

}  // namespace parley::orchestration::mcp
