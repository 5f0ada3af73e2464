#include "orchestration/tools/parameters_schema.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr int kMaxSchemaDepth = 100;

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
  if (depth > kMaxSchemaDepth) return "nested deeper than " + std::to_string(kMaxSchemaDepth) + " levels";
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

bool has_type(const JsonValue& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") {
    const bool whole = value.is_double() && value.get_double() == std::trunc(value.get_double());
    return value.is_int64() || value.is_uint64() || whole;
  }
  return true;  // no type that we know: the full validator's business
}

std::optional<std::string> type_problem(std::string_view name, const JsonValue& schema,
                                        const JsonValue& value) {
  const JsonValue* type = schema.is_object() ? schema.get_object().if_contains("type") : nullptr;
  if (type == nullptr || !type->is_string() || has_type(value, type->get_string())) return std::nullopt;
  return "The argument \"" + std::string(name) + "\" has to be of type " + std::string(type->get_string()) +
         ".";
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
  return reference_problem(schema, 0);
}

std::optional<std::string> argument_problem(const JsonObject& schema, const JsonObject& arguments) {
  if (const JsonValue* required = schema.if_contains("required");
      required != nullptr && required->is_array()) {
    for (const JsonValue& name : required->get_array()) {
      if (name.is_string() && !arguments.contains(name.get_string())) {
        return "The argument \"" + std::string(name.get_string()) + "\" is missing.";
      }
    }
  }
  const JsonValue* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return std::nullopt;
  const JsonValue* additional = schema.if_contains("additionalProperties");
  const bool closed = additional != nullptr && additional->is_bool() && !additional->get_bool();
  for (const auto& argument : arguments) {
    const JsonValue* property = properties->get_object().if_contains(argument.key());
    if (property == nullptr && closed) return "There is no argument \"" + std::string(argument.key()) + "\".";
    if (property == nullptr) continue;
    if (auto problem = type_problem(argument.key(), *property, argument.value())) return problem;
  }
  return std::nullopt;
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
