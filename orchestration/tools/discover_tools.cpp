#include "orchestration/tools/discover_tools.h"

#include <chrono>
#include <utility>

#include "inference/json/fields.h"
#include "orchestration/tools/command_result.h"
#include "orchestration/tools/parameters_schema.h"
#include "orchestration/tools/read_tool_entry.h"
#include "orchestration/tools/tool_name.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kMaxListing = std::size_t{4} << 20;
constexpr std::size_t kMaxDiscovered = 1000;
constexpr std::chrono::milliseconds kListingTime{60000};

DiscoveredTools no_list(const DiscoverEntry& entry, std::string why) {
  return {.tools = {},
          .issues = {{.severity = ConfigIssue::Severity::error,
                      .place = entry.source,
                      .message = std::move(why)}},
          .failed = true};
}

class DeclarationReader {
 public:
  explicit DeclarationReader(const DiscoverEntry& entry) : entry_(entry) {}

  void read_list(const JsonArray& list) {
    for (const JsonValue& item : list) {
      if (!item.is_object()) {
        complain("a declaration is no object");
        continue;
      }
      const JsonObject& object = item.get_object();
      const JsonValue* group = object.if_contains("functionDeclarations");
      if (group == nullptr) group = object.if_contains("function_declarations");
      if (group != nullptr && group->is_array()) {
        for (const JsonValue& inner : group->get_array()) {
          if (inner.is_object()) read_declaration(inner.get_object());
        }
      } else {
        read_declaration(unwrapped_tool(object));
      }
    }
  }

  DiscoveredTools take() { return std::move(found_); }

 private:
  void complain(std::string message) {
    found_.issues.push_back(
        {.severity = ConfigIssue::Severity::error, .place = entry_.source, .message = std::move(message)});
  }

  void read_declaration(const JsonObject& object) {
    const std::string name = inference::json::text_field(object, "name");
    // It becomes a word of the calling program: a brace would make a placeholder of it, a dash an option.
    if (name.empty() || name[0] == '-' ||
        name.find_first_of(std::string_view("{}\0", 3)) != std::string::npos) {
      return complain("a declaration has no usable name");
    }
    if (found_.tools.size() == kMaxDiscovered) return;
    CommandEntry tool;
    tool.settings.name = mapped_name(name);
    tool.settings.description = inference::json::text_field(object, "description");
    tool.settings.parameters = JsonObject{{"type", "object"}, {"properties", JsonObject{}}};
    for (const char* key :
         {"parameters", "parametersJsonSchema", "parameters_json_schema", "inputSchema", "input_schema"}) {
      const JsonValue* schema = object.if_contains(key);
      if (schema == nullptr || schema->is_null()) continue;
      if (auto problem = schema_problem(*schema)) return complain(tool.settings.name + ": " + *problem);
      tool.settings.parameters = schema->get_object();
      break;
    }
    tool.settings.timeout = entry_.timeout;
    tool.settings.max_output = entry_.max_output;
    tool.launch = entry_.call;
    tool.launch.argv.push_back(name);
    tool.input = CommandInput::json;
    found_.tools.push_back(std::move(tool));
  }

  const DiscoverEntry& entry_;
  DiscoveredTools found_;
};

}  // namespace

DiscoveredTools read_declarations(std::string_view json, const DiscoverEntry& entry) {
  DeclarationReader reader(entry);
  const auto parsed = inference::json::parse_json(json, {.max_bytes = kMaxListing, .max_depth = 128});
  const auto* value = std::get_if<JsonValue>(&parsed);
  if (value != nullptr && value->is_array()) {
    reader.read_list(value->get_array());
    return reader.take();
  }
  if (value != nullptr && value->is_object()) {
    reader.read_list(JsonArray{*value});
    return reader.take();
  }
  const auto* error = std::get_if<inference::json::JsonError>(&parsed);
  return no_list(entry, "the listing program printed no list of declarations. " +
                            (error == nullptr ? std::string() : error->message));
}

DiscoveredTools discover_tools(const DiscoverEntry& entry, const CommandSurroundings& surroundings,
                               const std::stop_token& stop) {
  sandbox::RunOptions options;
  options.input = "";
  options.max_output = kMaxListing;
  const std::chrono::milliseconds timeout = entry.timeout.value_or(kListingTime);
  options.deadline = std::chrono::steady_clock::now() + timeout;
  options.stop = stop;
  const sandbox::ProgramResult ran = surroundings.run(program_of(entry.list, surroundings), options);
  ResultRules rules;
  rules.program = "the listing program";
  rules.timeout = timeout;
  rules.secrets = surroundings.secrets;
  const bool good = ran.end == sandbox::ProgramResult::End::exited && ran.code == 0 && ran.cut_bytes == 0;
  if (good) return read_declarations(ran.output, entry);
  std::string message = command_result(ran, rules).text;
  if (ran.cut_bytes > 0) message = "the listing program printed more than 4 MiB";
  return no_list(entry, std::move(message));
}

}  // namespace parley::orchestration::tools
