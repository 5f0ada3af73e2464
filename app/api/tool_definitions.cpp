#include "app/api/tool_definitions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "app/api/client_tool.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/parameters_schema.h"
#include "orchestration/tools/tool_name.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using protocol::FieldReader;

// Absent: a tool without parameters.
JsonObject read_parameters(FieldReader& function) {
  const JsonObject* given = function.optional_object("parameters");
  if (given == nullptr)
    return {{"type", "object"}, {"properties", JsonObject()}, {"additionalProperties", false}};
  JsonObject parameters = *given;
  if (!parameters.contains("type")) parameters["type"] = "object";
  if (auto problem = orchestration::tools::schema_problem(JsonValue(parameters))) {
    if (problem->ends_with('.')) problem->pop_back();  // a whole sentence, which ends below
    function.refuse("parameters", "is not a JSON Schema that can be used: " + *problem);
  }
  return parameters;
}

ClientToolDefinition read_function(FieldReader& function) {
  ClientToolDefinition definition;
  definition.name = function.text("name");
  if (!function.error() && !orchestration::tools::is_tool_name(definition.name))
    function.refuse("name", "must have 1 to 64 characters, each of A-Z a-z 0-9 _ -");
  definition.description = function.optional_text("description").value_or("");
  definition.parameters = read_parameters(function);
  definition.strict = function.optional_flag("strict").value_or(false);
  return definition;
}

ClientToolDefinition read_definition(FieldReader& tool) {
  const std::string type = tool.text("type");
  if (!tool.error() && type != "function")
    tool.refuse("type", "must be \"function\": this server knows no other kind of tool");
  const JsonObject* object = tool.optional_object("function");
  if (object == nullptr) {
    tool.refuse("function", "is missing: {\"name\": …, \"description\": …, \"parameters\": {…}}");
    return {};
  }
  FieldReader function(*object, tool.path_of("function"));
  ClientToolDefinition definition = read_function(function);
  tool.adopt(function.error());
  return definition;
}

}  // namespace

ToolList read_tool_definitions(FieldReader& fields) {
  ToolList tools;
  const JsonArray* array = fields.optional_array("tools");
  if (array == nullptr) return tools;
  if (array->size() > kMaxClientTools) {
    fields.refuse("tools", "must hold at most 128 tools, but has " + std::to_string(array->size()));
    return tools;
  }
  // Each schema is looked through on the thread that serves everybody.
  if (inference::json::to_json_text(*array).size() > kMaxToolBytes) {
    fields.refuse("tools", "must have at most 1 MiB together: offer fewer tools, or shorter schemas");
    return tools;
  }
  std::set<std::string> names;
  fields.each_object("tools", *array, [&](FieldReader& tool) {
    ClientToolDefinition definition = read_definition(tool);
    if (!tool.error() && !names.insert(definition.name).second)
      tool.refuse("function.name", "is the name of an earlier tool: give each tool a name of its own");
    tools.push_back(make_client_tool(std::move(definition)));
  });
  return tools;
}

bool has_tool(const ToolList& tools, std::string_view name) {
  return std::any_of(tools.begin(), tools.end(), [&](const auto& tool) { return tool->spec().name == name; });
}

}  // namespace parley::app::api
