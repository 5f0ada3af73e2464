#include "orchestration/tools/read_tool_entry.h"

#include <algorithm>
#include <utility>

#include "orchestration/tools/argv_template.h"
#include "orchestration/tools/builtin_names.h"
#include "orchestration/tools/http_tool_url.h"
#include "orchestration/tools/parameters_schema.h"
#include "orchestration/tools/read_headers.h"
#include "orchestration/tools/read_http_body.h"
#include "orchestration/tools/read_launch.h"
#include "orchestration/tools/tool_name.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr IntRange kOutputRange{.low = 256, .high = 16 << 20};
constexpr IntRange kConcurrencyRange{.low = 1, .high = 64};

bool switched_off(EntryReader& reader) {
  return reader.flag("disabled").value_or(false) || !reader.flag("enabled").value_or(true);
}

std::string read_name(EntryReader& reader, const std::string& key) {
  const std::string name = key.empty() ? reader.plain_text("name").value_or("") : key;
  if (name.empty()) {
    reader.refuse("", "the tool has no name");
    return {};
  }
  std::string mapped = mapped_name(name);
  if (mapped != name) {
    reader.warn("", "models see this tool as \"" + mapped + "\": a name is 1 to 64 of A-Z a-z 0-9 _ -");
  }
  return mapped;
}

ToolSettings read_settings(EntryReader& reader, const std::string& key) {
  ToolSettings settings;
  settings.name = read_name(reader, key);
  settings.description = reader.plain_text("description").value_or("");
  const std::string_view schema_key = reader.first_of({"parameters", "input_schema", "inputSchema"});
  if (!schema_key.empty() && !reader.refused()) {
    const JsonValue& schema = *reader.find(schema_key);
    if (auto problem = schema_problem(schema)) {
      reader.refuse(schema_key, std::move(*problem));
    } else {
      settings.parameters = schema.get_object();
    }
  }
  settings.approval = reader.decision("approval");
  settings.strict = reader.flag("strict").value_or(settings.strict);
  settings.timeout = reader.milliseconds("timeout");
  if (const auto bytes = reader.number("maxOutput", kOutputRange))
    settings.max_output = static_cast<std::size_t>(*bytes);
  if (const auto count = reader.number("concurrency", kConcurrencyRange)) {
    settings.concurrency = static_cast<int>(*count);
  }
  return settings;
}

std::vector<std::string> all_placeholders(const std::vector<std::string>& argv) {
  std::vector<std::string> names;
  for (const std::string& element : argv) {
    for (std::string& name : placeholders_of(element)) names.push_back(std::move(name));
  }
  return names;
}

void check_placeholders(EntryReader& reader, const std::vector<std::string>& names, ToolSettings& settings) {
  if (settings.parameters.empty()) {
    settings.parameters = schema_of_strings(names);
    return;
  }
  const JsonValue* properties = settings.parameters.if_contains("properties");
  for (const std::string& name : names) {
    if (properties == nullptr || !properties->get_object().contains(name)) {
      std::string words = "{" + name + "} is no property of \"parameters\"; write {{";
      words += name;
      words += "}} for the characters themselves";
      reader.refuse("command", words);
    }
  }
}

CommandEntry read_command(EntryReader& reader, const std::string& key) {
  CommandEntry tool;
  tool.settings = read_settings(reader, key);
  tool.launch = read_launch(reader, "command");
  const std::vector<std::string> names = all_placeholders(tool.launch.argv);
  check_placeholders(reader, names, tool.settings);
  tool.input = names.empty() ? CommandInput::json : CommandInput::arguments;
  if (const auto index = reader.choice("input", {"args", "stdin-json"}))
    tool.input = static_cast<CommandInput>(*index);
  if (const auto index = reader.choice("output", {"text", "json", "mcp"})) {
    tool.output = static_cast<CommandOutput>(*index);
  }
  tool.allow_dash = reader.flag("allowDash").value_or(false);
  tool.progress_lines = reader.choice("progress", {"stderr-lines"}).has_value();
  return tool;
}

HttpEntry read_http(EntryReader& reader, const std::string& key) {
  HttpEntry tool;
  tool.settings = read_settings(reader, key);
  const JsonObject* object = reader.object("http");
  if (object == nullptr) return tool;
  EntryReader fields(reader.state(), *object, ObjectKind::http, reader.place_of("http"));
  tool.body = read_http_body(fields, tool.settings.parameters);
  tool.method = fields.plain_text("method").value_or(tool.body.is_null() ? "GET" : "POST");
  const bool word = !tool.method.empty() && std::all_of(tool.method.begin(), tool.method.end(),
                                                        [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!word) fields.refuse("method", "expected a method in capital letters, such as GET or POST");
  tool.url = read_url(fields, "url");
  if (tool.settings.parameters.empty())
    tool.settings.parameters = schema_of_strings(url_placeholders(tool.url));
  tool.headers = read_headers(fields, "headers");
  if (fields.refused()) reader.refuse_quietly();
  return tool;
}

BuiltinEntry read_builtin(EntryReader& reader, const std::string& key) {
  BuiltinEntry tool;
  tool.settings = read_settings(reader, key);
  tool.builtin = reader.plain_text("builtin").value_or("");
  if (!is_builtin(tool.builtin)) {
    reader.refuse("builtin", "there is no built-in \"" + tool.builtin + "\"; there are " + builtin_list());
  }
  return tool;
}

}  // namespace

JsonObject unwrapped_tool(const JsonObject& object) {
  const JsonValue* function = object.if_contains("function");
  if (function == nullptr || !function->is_object()) return object;
  JsonObject flat = function->get_object();
  for (const auto& field : object) {
    if (field.key() != "function" && field.key() != "type") flat.emplace(field.key(), field.value());
  }
  return flat;
}

std::optional<ToolEntry> read_tool_entry(ReadingState& state, const JsonObject& object,
                                         const std::string& key, const std::string& place) {
  const JsonObject flat = unwrapped_tool(object);
  EntryReader reader(state, flat, ObjectKind::tool, place);
  if (switched_off(reader)) return std::nullopt;
  const std::string_view kind = reader.first_of({"command", "http", "builtin"});
  std::optional<ToolEntry> tool;
  for (const std::string_view idle : idle_keys(kind)) {
    if (reader.find(idle) != nullptr)
      reader.warn(idle, "this has no effect on a tool with \"" + std::string(kind) + "\"");
  }
  if (kind == "command") tool = read_command(reader, key);
  if (kind == "http") tool = read_http(reader, key);
  if (kind == "builtin") tool = read_builtin(reader, key);
  if (!tool) reader.refuse("", "nothing says how the tool runs; add \"command\", \"http\" or \"builtin\"");
  if (reader.refused()) return std::nullopt;
  return tool;
}

}  // namespace parley::orchestration::tools
