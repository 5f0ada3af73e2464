#include "orchestration/mcp/header_arguments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "orchestration/fetch/request_rules.h"
#include "orchestration/mcp/base64.h"
#include "orchestration/mcp/fields.h"

namespace parley::orchestration::mcp {
namespace {

constexpr std::string_view kAnnotation = "x-mcp-header";
constexpr std::string_view kPrefix = "=?base64?";
constexpr std::string_view kSuffix = "?=";
constexpr std::size_t kMaxHeaderName = 100;
constexpr std::int64_t kMaxSafeInteger = (std::int64_t{1} << 53) - 1;

struct Search {
  std::vector<HeaderArgument> found;
  std::set<std::string> names;  // in lower case
  std::string problem;
};

void take_annotation(const JsonObject& schema, const std::vector<std::string>& path, Search& search) {
  const std::string name = text_field(schema, kAnnotation);
  const std::string type = text_field(schema, "type");
  if (name.size() > kMaxHeaderName || !fetch::is_http_token(name)) {
    search.problem = "an x-mcp-header is not a header name";
  } else if (type != "string" && type != "integer" && type != "boolean") {
    search.problem = "the x-mcp-header " + name + " is not on a string, integer or boolean";
  } else if (!search.names.insert(fetch::lower_case(name)).second) {
    search.problem = "the x-mcp-header " + name + " is there twice";
  } else {
    search.found.push_back({.path = path, .header = "Mcp-Param-" + name});
  }
}

// Anywhere but below a chain of `properties` an annotation is against the rules. A key of that name inside
// `properties` is a parameter, no annotation.
// NOLINTNEXTLINE(misc-no-recursion)
bool is_annotated_inside(const JsonValue& value) {
  if (const JsonArray* array = value.if_array()) {
    return std::any_of(array->begin(), array->end(), is_annotated_inside);
  }
  const JsonObject* object = value.if_object();
  if (object == nullptr) return false;
  return std::any_of(object->begin(), object->end(), [](const auto& pair) {
    return pair.key() == kAnnotation || is_annotated_inside(pair.value());
  });
}

bool holds_values(std::string_view key) {
  return key == "const" || key == "enum" || key == "default" || key == "examples";
}

// NOLINTNEXTLINE(misc-no-recursion)
void search_schema(const JsonObject& schema, const std::vector<std::string>& path, Search& search) {
  if (schema.contains(kAnnotation)) {
    if (path.empty()) search.problem = "an x-mcp-header is on the arguments themselves";
    if (search.problem.empty()) take_annotation(schema, path, search);
  }
  for (const auto& [key, value] : schema) {
    if (!search.problem.empty()) return;
    if (key == "properties" || key == kAnnotation || holds_values(key)) continue;
    if (is_annotated_inside(value)) search.problem = "an x-mcp-header is below " + std::string(key);
  }
  const JsonObject* properties = object_field(schema, "properties");
  if (properties == nullptr) return;
  for (const auto& [name, property] : *properties) {
    if (!search.problem.empty()) return;
    std::vector<std::string> inner = path;
    inner.emplace_back(name);
    if (const JsonObject* object = property.if_object()) search_schema(*object, inner, search);
  }
}

const JsonValue* value_at(const JsonObject& arguments, const std::vector<std::string>& path) {
  const JsonObject* object = &arguments;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    object = object_field(*object, path[i]);
    if (object == nullptr) return nullptr;
  }
  return object->if_contains(path.back());
}

std::optional<std::string> header_text(const JsonValue& value) {
  if (value.is_string()) return std::string(std::string_view(value.get_string()));
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  if (!value.is_int64()) return std::nullopt;
  const std::int64_t number = value.get_int64();
  if (number < -kMaxSafeInteger || number > kMaxSafeInteger) return std::nullopt;
  return std::to_string(number);
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::variant<std::vector<HeaderArgument>, std::string> find_header_arguments(const JsonObject& schema) {
  Search search;
  search_schema(schema, {}, search);
  if (!search.problem.empty()) return search.problem;
  return std::move(search.found);
}

std::vector<std::pair<std::string, std::string>> header_values(
    const std::vector<HeaderArgument>& header_arguments, const JsonObject& arguments) {
  std::vector<std::pair<std::string, std::string>> headers;
  for (const HeaderArgument& argument : header_arguments) {
    const JsonValue* value = value_at(arguments, argument.path);
    if (value == nullptr) continue;
    if (const auto text = header_text(*value)) {
      headers.emplace_back(argument.header, encode_header_value(*text));
    }
  }
  return headers;
}

std::string encode_header_value(std::string_view text) {
  const bool is_visible =
      std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
  const bool is_padded = !text.empty() && (is_blank(text.front()) || is_blank(text.back()));
  const bool looks_encoded = text.starts_with(kPrefix) && text.ends_with(kSuffix);
  if (is_visible && !is_padded && !looks_encoded) return std::string(text);
  return std::string(kPrefix) + to_base64(text) + std::string(kSuffix);
}

}  // namespace parley::orchestration::mcp
