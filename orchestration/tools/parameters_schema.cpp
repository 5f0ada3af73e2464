#include "orchestration/tools/parameters_schema.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>

#include "inference/json_schema/schema.h"
#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

namespace json_schema = inference::json_schema;

constexpr int kMaxParametersDepth = 100;
constexpr std::size_t kMaxViolations = 3;  // told at once: a model mends one or two
constexpr std::size_t kMaxViolationBytes = 300;

std::optional<std::string> reference_problem(const JsonValue& value, int depth);

std::optional<std::string> field_problem(std::string_view key, const JsonValue& value, int depth) {
  if ((key == "$ref" || key == "$dynamicRef") && value.is_string()) {
    const std::string_view target = value.get_string();
    if (target.substr(0, 1) != "#") {
      return "\"$ref\": \"" + std::string(target.substr(0, 200)) +
             "\" points out of the schema, and nothing is fetched for one; copy that part in and use "
             "\"#/$defs/…\"";
    }
  }
  return reference_problem(value, depth + 1);
}

std::optional<std::string> reference_problem(const JsonValue& value, int depth) {
  if (depth > kMaxParametersDepth)
    return "nested deeper than " + std::to_string(kMaxParametersDepth) + " levels";
  if (value.is_array()) {
    for (const JsonValue& item : value.get_array()) {
      if (auto problem = reference_problem(item, depth + 1)) return problem;
    }
  }
  if (value.is_object()) {
    for (const auto& field : value.get_object()) {
      if (auto problem = field_problem(field.key(), field.value(), depth)) return problem;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> schema_problem(const JsonValue& schema) {
  if (!schema.is_object()) return "expected a JSON Schema { \"type\": \"object\", \"properties\": { … } }";
  const JsonObject& object = schema.get_object();
  const JsonValue* type = object.if_contains("type");
  if (type != nullptr && *type != JsonValue("object")) return "\"type\" has to be \"object\"";
  const JsonValue* properties = object.if_contains("properties");
  if (properties != nullptr && !properties->is_object()) return "\"properties\" has to be an object";
  if (const JsonValue* required = object.if_contains("required")) {
    const bool strings =
        required->is_array() && std::all_of(required->get_array().begin(), required->get_array().end(),
                                            [](const JsonValue& name) { return name.is_string(); });
    if (!strings) return "\"required\" has to be a list of names";
  }
  if (auto problem = reference_problem(schema, 0)) return problem;
  const auto compiled = json_schema::Schema::compile(schema);
  if (const auto* error = std::get_if<json_schema::SchemaError>(&compiled))
    return json_schema::to_text(*error);
  return std::nullopt;
}

std::optional<std::string> argument_problem(const JsonObject& schema, const JsonObject& arguments) {
  const auto compiled = json_schema::Schema::compile(JsonValue(schema));
  if (std::holds_alternative<json_schema::SchemaError>(compiled)) return std::nullopt;
  const auto violations = std::get<json_schema::Schema>(compiled).validate(JsonValue(arguments));
  if (violations.empty()) return std::nullopt;
  std::string sentence = "The arguments do not fit the tool:";
  for (std::size_t i = 0; i < std::min(violations.size(), kMaxViolations); ++i) {
    const std::string violation = json_schema::to_text(violations[i]);
    sentence += (i == 0 ? " " : "; ") + mcp::plain_line(violation, kMaxViolationBytes);
  }
  if (violations.size() > kMaxViolations) {
    const bool may_be_more = violations.size() == json_schema::SchemaOptions().max_violations;
    sentence += std::string("; and ") + (may_be_more ? "at least " : "") +
                std::to_string(violations.size() - kMaxViolations) + " more";
  }
  return sentence + ".";
}

JsonObject schema_of_strings(const std::vector<std::string>& names) {
  JsonObject properties;
  JsonArray required;
  for (const std::string& name : names) {
    if (properties.contains(name)) continue;
    properties[name] = JsonObject{{"type", "string"}};
    required.emplace_back(name);
  }
  return JsonObject{{"type", "object"}, {"properties", properties}, {"required", required}};
}

}  // namespace parley::orchestration::tools
