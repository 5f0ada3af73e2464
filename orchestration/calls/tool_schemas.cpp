#include "orchestration/calls/tool_schemas.h"

#include <algorithm>

#include "orchestration/calls/json_scanner.h"
#include "orchestration/calls/json_value_reader.h"
#include "orchestration/calls/literal_reader.h"

namespace parley::orchestration::calls {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr int kMaxSchemaDepth = 8;  // of anyOf in anyOf, and of references

TypeSet type_named(std::string_view name) {
  if (name == "null") return TypeSet::null;
  if (name == "integer") return TypeSet::integer;
  if (name == "number") return TypeSet::number | TypeSet::integer;
  if (name == "boolean") return TypeSet::boolean;
  if (name == "object") return TypeSet::object;
  if (name == "array") return TypeSet::array;
  return name == "string" ? TypeSet::string : TypeSet::any;
}

TypeSet type_of(const JsonValue& value) {
  if (value.is_null()) return TypeSet::null;
  if (value.is_bool()) return TypeSet::boolean;
  if (value.is_object()) return TypeSet::object;
  if (value.is_array()) return TypeSet::array;
  return value.is_string() ? TypeSet::string : TypeSet::number | TypeSet::integer;
}

template <class TypeOf>
TypeSet types_of_each(const JsonValue& values, const TypeOf& of_one) {
  if (!values.is_array() || values.get_array().empty()) return TypeSet::any;
  TypeSet types = TypeSet::none;
  for (const JsonValue& value : values.get_array()) types = types | of_one(value);
  return types;
}

// What #/a/b names in the tool's parameters; null: nothing, or it is no such reference.
const JsonValue* referred_to(const JsonObject& root, const JsonValue& reference) {
  if (!reference.is_string() || !reference.get_string().starts_with("#/")) return nullptr;
  std::string_view rest = std::string_view(reference.get_string()).substr(2);
  const JsonObject* object = &root;
  for (;;) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const JsonValue* value = object->if_contains(rest.substr(0, slash));
    if (value == nullptr || slash == rest.size()) return value;
    object = value->if_object();
    if (object == nullptr) return nullptr;
    rest.remove_prefix(slash + 1);
  }
}

TypeSet types_in(const JsonValue& schema, const JsonObject& root, int depth);

// Of what allOf wants, the types that all of it admits.
TypeSet types_of_all(const JsonObject& object, const JsonObject& root, int depth) {
  TypeSet types = TypeSet::any;
  const JsonValue* all = object.if_contains("allOf");
  if (all == nullptr || !all->is_array()) return types;
  for (const JsonValue& one : all->get_array()) types = types & types_in(one, root, depth + 1);
  return types == TypeSet::none ? TypeSet::any : types;
}

TypeSet types_in(const JsonValue& schema, const JsonObject& root, int depth) {
  if (!schema.is_object() || depth > kMaxSchemaDepth) return TypeSet::any;
  const JsonObject& object = schema.get_object();
  if (const JsonValue* reference = object.if_contains("$ref")) {
    const JsonValue* target = referred_to(root, *reference);
    if (target != nullptr) return types_in(*target, root, depth + 1);
  }
  const auto of_name = [](const JsonValue& name) {
    return name.is_string() ? type_named(std::string_view(name.get_string())) : TypeSet::any;
  };
  if (const JsonValue* type = object.if_contains("type")) {
    return type->is_array() ? types_of_each(*type, of_name) : of_name(*type);
  }
  if (const JsonValue* value = object.if_contains("const")) return type_of(*value);
  if (const JsonValue* values = object.if_contains("enum")) return types_of_each(*values, type_of);
  for (const char* key : {"anyOf", "oneOf"}) {
    if (const JsonValue* schemas = object.if_contains(key)) {
      return types_of_each(*schemas, [&](const JsonValue& one) { return types_in(one, root, depth + 1); });
    }
  }
  return types_of_all(object, root, depth);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// JSON of a literal that is no string, else empty. Models of these families write Python's words, too.
std::string literal_json(std::string_view text) {
  if (text == "None") return "null";
  if (text == "True" || text == "False") return text == "True" ? "true" : "false";
  if (text.empty() || text.front() == '"') return {};
  if (is_json(text)) return std::string(text);
  if (text.front() == '{' || text.front() == '[') return json_of_literal(text).value_or("");
  return {};
}

TypeSet type_of_json(std::string_view json) {
  switch (json.front()) {
    case 'n':
      return TypeSet::null;
    case 't':
    case 'f':
      return TypeSet::boolean;
    case '{':
      return TypeSet::object;
    case '[':
      return TypeSet::array;
    default:
      break;
  }
  return json.find_first_of(".eE") == std::string_view::npos ? TypeSet::integer : TypeSet::number;
}

}  // namespace

const OfferedTool* ToolSchemas::find(std::string_view name) const {
  const auto found = std::find_if(tools_.begin(), tools_.end(),
                                  [name](const OfferedTool& tool) { return tool.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

const JsonObject* ToolSchemas::properties_of(std::string_view tool) const {
  const OfferedTool* offered = find(tool);
  const JsonValue* properties = offered == nullptr ? nullptr : offered->parameters.if_contains("properties");
  return properties == nullptr ? nullptr : properties->if_object();
}

TypeSet ToolSchemas::types_of(std::string_view tool, std::string_view argument) const {
  const JsonObject* properties = properties_of(tool);
  const JsonValue* schema = properties == nullptr ? nullptr : properties->if_contains(argument);
  return schema == nullptr ? TypeSet::string : types_in(*schema, find(tool)->parameters, 0);
}

std::optional<std::string> ToolSchemas::argument_at(std::string_view tool, std::size_t position) const {
  const JsonObject* properties = properties_of(tool);
  if (properties == nullptr || position >= properties->size()) return std::nullopt;
  return std::string((properties->begin() + static_cast<std::ptrdiff_t>(position))->key());
}

std::string typed_json(std::string_view raw, TypeSet types) {
  const std::string json = literal_json(trimmed(raw));
  // What fits no type that is allowed stays as it is: the check against the schema says what is wrong.
  const bool fits =
      !json.empty() && (has_type(types, type_of_json(json)) || !has_type(types, TypeSet::string));
  return fits ? json : '"' + json_escaped(raw) + '"';
}

}  // namespace parley::orchestration::calls
