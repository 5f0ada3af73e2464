#include "orchestration/mcp/tool_definition.h"

#include <algorithm>
#include <cstddef>

#include "inference/json/json_writer.h"
#include "orchestration/mcp/fields.h"
#include "orchestration/mcp/header_arguments.h"
#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::mcp {
namespace {

constexpr std::size_t kMaxToolName = 256;
constexpr std::size_t kMaxDefinition = std::size_t{256} << 10;
constexpr std::size_t kMaxTitle = 200;

// Objects with sorted keys. As deep as the message was, which parse_messages bounds.
// NOLINTNEXTLINE(misc-no-recursion)
JsonValue sorted(const JsonValue& value) {
  if (const JsonArray* array = value.if_array()) {
    JsonArray copy;
    for (const JsonValue& element : *array) copy.push_back(sorted(element));
    return copy;
  }
  const JsonObject* object = value.if_object();
  if (object == nullptr) return value;
  std::vector<std::string_view> keys;
  for (const auto& pair : *object) keys.push_back(pair.key());
  std::sort(keys.begin(), keys.end());
  JsonObject copy;
  for (const std::string_view key : keys) copy[key] = sorted(object->at(key));
  return copy;
}

}  // namespace

std::string canonical_text(const JsonValue& value) { return inference::json::to_json_text(sorted(value)); }

std::variant<ToolDefinition, std::string> read_tool_definition(const JsonValue& value) {
  const JsonObject* tool = value.if_object();
  if (tool == nullptr) return "a tool is not an object";
  ToolDefinition definition;
  definition.name = text_field(*tool, "name");
  if (definition.name.empty() || definition.name.size() > kMaxToolName) {
    return "a tool's name is missing or longer than " + std::to_string(kMaxToolName) + " bytes";
  }
  const std::string who = "tool \"" + plain_line(definition.name, kMaxToolName) + "\"";
  const JsonObject* schema = object_field(*tool, "inputSchema");
  if (schema == nullptr) return who + " has no inputSchema";
  definition.canonical = canonical_text(value);
  if (definition.canonical.size() > kMaxDefinition) return who + " has a definition of more than 256 KiB";
  auto headers = find_header_arguments(*schema);
  if (const auto* problem = std::get_if<std::string>(&headers)) return who + ": " + *problem;
  definition.header_arguments = std::get<std::vector<HeaderArgument>>(std::move(headers));
  definition.title = plain_line(text_field(*tool, "title"), kMaxTitle);
  definition.description = plain_text(text_field(*tool, "description"));
  definition.input_schema = *schema;
  return definition;
}

}  // namespace parley::orchestration::mcp
