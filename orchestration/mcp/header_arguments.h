#pragma once
// Arguments that a modern server wants to see as HTTP headers too: x-mcp-header in a tool's schema (revision
// 2026-07-28, "Custom Headers from Tool Parameters"). Plain functions, any thread; never fails.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/mcp/tool_definition.h"

namespace parley::orchestration::mcp {

// A clause when an annotation breaks the rules: the specification has us drop the whole tool then.
std::variant<std::vector<HeaderArgument>, std::string> find_header_arguments(
    const inference::json::JsonObject& schema);

// Name and encoded value of each that these arguments have.
std::vector<std::pair<std::string, std::string>> header_values(
    const std::vector<HeaderArgument>& header_arguments, const inference::json::JsonObject& arguments);

// As it is where that is safe in a header; else =?base64?…?=
std::string encode_header_value(std::string_view text);

}  // namespace parley::orchestration::mcp
