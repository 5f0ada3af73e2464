#include "orchestration/tools/openapi_schema.h"

#include <algorithm>
#include <array>
#include <utility>

#include "inference/json/fields.h"
#include "orchestration/mcp/plain_text.h"
#include "orchestration/tools/http_tool_text.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kMaxSchemaDepth = 40;
constexpr int kMaxReferenceChain = 16;
constexpr std::size_t kMaxPropertyDescription = 300;

// They say nothing about which arguments are valid, and cost tokens.
constexpr std::array<std::string_view, 13> kDropped = {
    "title",         "example",    "examples", "xml",       "externalDocs",
    "discriminator", "deprecated", "readOnly", "writeOnly", "nullable",
    "$schema",       "$comment",   "$id"};
constexpr std::array<std::string_view, 4> kNamedSchemas = {"properties", "patternProperties", "$defs",
                                                           "dependentSchemas"};
constexpr std::array<std::string_view, 4> kSchemaLists = {"anyOf", "oneOf", "allOf", "prefixItems"};
constexpr std::array<std::string_view, 10> kSchemas = {"items",
                                                       "additionalProperties",
                                                       "not",
                                                       "contains",
                                                       "propertyNames",
                                                       "if",
                                                       "then",
                                                       "else",
                                                       "unevaluatedItems",
                                                       "unevaluatedProperties"};

template <typename List>
bool holds(const List& list, std::string_view key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

// OpenAPI 3.0: "nullable" beside a type, and exclusive bounds as flags.
void translate_3_0(const JsonObject& schema, JsonObject& out) {
  if (inference::json::is_true(schema, "nullable")) {
    JsonValue* type = out.if_contains("type");
    if (type != nullptr && type->is_string()) *type = JsonArray{*type, "null"};
  }
  for (const auto& [flag, bound] :
       {std::pair("exclusiveMinimum", "minimum"), std::pair("exclusiveMaximum", "maximum")}) {
    const JsonValue* exclusive = out.if_contains(flag);
    if (exclusive == nullptr || !exclusive->is_bool()) continue;
    const bool applies = exclusive->get_bool() && out.contains(bound);
    out.erase(flag);
    if (!applies) continue;
    const JsonValue limit = out.at(bound);
    out.erase(bound);
    out[flag] = limit;
  }
}

// What only a server may set is no argument.
bool is_read_only(const JsonValue& schema) {
  return schema.is_object() && inference::json::is_true(schema.get_object(), "readOnly");
}

void drop_unknown_required(JsonObject& schema) {
  const JsonValue* properties = schema.if_contains("properties");
  JsonValue* required = schema.if_contains("required");
  if (properties == nullptr || !properties->is_object() || required == nullptr || !required->is_array())
    return;
  JsonArray known;
  for (const JsonValue& name : required->get_array()) {
    if (name.is_string() && properties->get_object().contains(name.get_string())) known.push_back(name);
  }
  *required = std::move(known);
}

}  // namespace

const JsonValue* OpenApiSchemas::target_of(const JsonValue& value) {
  const JsonValue* target = &value;
  for (int hops = 0; hops < kMaxReferenceChain; ++hops) {
    const JsonValue* reference = target->is_object() ? target->get_object().if_contains("$ref") : nullptr;
    if (reference == nullptr || !reference->is_string()) return target;
    const std::string_view pointer = reference->get_string();
    boost::system::error_code error;
    target = pointer.starts_with("#/") ? document_.find_pointer(pointer.substr(1), error) : nullptr;
    if (target == nullptr) {
      problem_ = "its \"$ref\" " + std::string(mcp::head_of(pointer, 200)) +
                 " leads to nothing within the description";
      return nullptr;
    }
  }
  problem_ = "its \"$ref\" leads in circles";
  return nullptr;
}

JsonValue OpenApiSchemas::written_out(const JsonValue& schema) {
  if (!problem_.empty() || !schema.is_object()) return schema.is_bool() ? schema : JsonValue(JsonObject());
  if (depth_ >= kMaxSchemaDepth) return JsonObject();
  const JsonObject& object = schema.get_object();
  const JsonValue* reference_text = object.if_contains("$ref");
  ++depth_;
  JsonValue out = reference_text != nullptr && reference_text->is_string()
                      ? reference(object, reference_text->get_string())
                      : JsonValue(keywords(object));
  --depth_;
  return out;
}

JsonValue OpenApiSchemas::reference(const JsonObject& schema, std::string_view pointer) {
  const JsonValue* target = target_of(schema);
  if (target == nullptr) return JsonObject();
  if (holds(open_references_, pointer)) {
    const JsonValue* type = target->is_object() ? target->get_object().if_contains("type") : nullptr;
    return type == nullptr || !spend_on(*type) ? JsonObject() : JsonObject{{"type", *type}};
  }
  open_references_.emplace_back(pointer);
  JsonValue out = written_out(*target);
  open_references_.pop_back();
  JsonObject beside = keywords(schema);  // such as a description nearer to the matter, or a default
  beside.erase("$ref");
  if (out.is_object()) {
    for (const auto& [key, value] : beside) out.get_object().insert_or_assign(key, value);
  }
  return out;
}

JsonObject OpenApiSchemas::keywords(const JsonObject& schema) {
  JsonObject out;
  for (const auto& [key, value] : schema) {
    const std::string_view name = key;
    if (holds(kDropped, name) || name.starts_with("x-")) continue;
    if (!spend(name.size() + 4)) break;
    out.insert_or_assign(name, keyword(name, value));
  }
  translate_3_0(schema, out);
  drop_unknown_required(out);
  return out;
}

JsonValue OpenApiSchemas::keyword(std::string_view key, const JsonValue& value) {
  if (holds(kNamedSchemas, key)) return named(value);
  if (holds(kSchemaLists, key)) return list(value);
  if (holds(kSchemas, key) && !value.is_array()) return written_out(value);
  if (key == "description" && value.is_string()) {
    std::string text = short_description(value.get_string(), kMaxPropertyDescription);
    return spend(text.size()) ? JsonValue(text) : JsonValue("");
  }
  return spend_on(value) ? value : JsonValue();
}

JsonValue OpenApiSchemas::list(const JsonValue& schemas) {
  JsonArray out;
  if (!schemas.is_array()) return out;
  for (const JsonValue& schema : schemas.get_array()) {
    if (!spend(4)) break;
    out.push_back(written_out(schema));
  }
  return out;
}

JsonValue OpenApiSchemas::named(const JsonValue& schemas) {
  JsonObject out;
  if (!schemas.is_object()) return out;
  for (const auto& [name, schema] : schemas.get_object()) {
    if (is_read_only(schema)) continue;
    if (!spend(name.size() + 4)) break;
    out.insert_or_assign(name, written_out(schema));
  }
  return out;
}

bool OpenApiSchemas::spend(std::size_t bytes) {
  spent_ += bytes;
  if (spent_ > kMaxBytes && problem_.empty()) {
    problem_ = "its schema is larger than " + std::to_string(kMaxBytes) + " bytes when written out";
  }
  return problem_.empty();
}

bool OpenApiSchemas::spend_on(const JsonValue& value) {
  if (!spend(8)) return false;
  if (value.is_string()) return spend(value.get_string().size());
  if (value.is_array()) {
    return std::all_of(value.get_array().begin(), value.get_array().end(),
                       [this](const JsonValue& element) { return spend_on(element); });
  }
  if (!value.is_object()) return true;
  return std::all_of(value.get_object().begin(), value.get_object().end(), [this](const auto& field) {
    return spend(field.key().size()) && spend_on(field.value());
  });
}

std::string short_description(std::string_view text, std::size_t max_bytes) {
  const std::string plain = shown_text(text);
  const std::string_view head = mcp::head_of(plain, max_bytes);
  return head.size() == plain.size() ? plain : std::string(head) + "\xE2\x80\xA6";
}

}  // namespace parley::orchestration::tools
