#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <boost/json/string.hpp>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/schema_compiler.h"
#include "inference/json/json_writer.h"

namespace parley::inference::grammar {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

bool is_same(const JsonValue& a, const JsonValue& b);

bool is_same_array(const JsonArray& a, const JsonArray& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
}

bool is_same_object(const JsonObject& a, const JsonObject& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const auto& member) {
    const JsonValue* other = b.if_contains(member.key());
    return other != nullptr && is_same(member.value(), *other);
  });
}

// As JSON Schema compares: 1 and 1.0 are the same.
bool is_same(const JsonValue& a, const JsonValue& b) {
  if (a.is_array() && b.is_array()) return is_same_array(a.get_array(), b.get_array());
  if (a.is_object() && b.is_object()) return is_same_object(a.get_object(), b.get_object());
  if (!a.is_number() || !b.is_number()) return a == b;
  const bool is_exact = !a.is_double() && !b.is_double();
  return is_exact ? a == b : a.to_number<double>() == b.to_number<double>();
}

bool is_scalar(const JsonValue& value) { return !value.is_array() && !value.is_object(); }

// 1.0 is written as 1, so that it is an integer to everybody.
std::string text_of(const JsonValue& value) {
  if (const auto* text = value.if_string()) return shortest_spelling(*text);
  if (!value.is_double()) return json::to_json_text(value);
  const double number = value.get_double();
  const bool is_whole = number == std::floor(number) && std::abs(number) < 1e15;
  return json::to_json_text(is_whole ? JsonValue(static_cast<std::int64_t>(number)) : value);
}

// Strings of another notation as they are, everything else as JSON or by the notation's words.
void add_value_of_enum(const JsonValue& value, const Notation* form, std::vector<std::string>& texts) {
  const bool is_word = value.is_null() || value.is_bool();
  if (form != nullptr && value.is_string()) {
    texts.emplace_back(std::string_view(value.get_string()));
  } else if (form != nullptr && is_word) {
    for (std::string& spelling : form->spellings(text_of(value))) texts.push_back(std::move(spelling));
  } else {
    texts.push_back(text_of(value));
  }
}

bool has_any(const SchemaParts& parts, std::initializer_list<const char*> keywords) {
  return std::any_of(parts.begin(), parts.end(), [&](const SchemaPart& part) {
    return std::any_of(keywords.begin(), keywords.end(),
                       [&](const char* name) { return keyword(part, name) != nullptr; });
  });
}

bool limits_containers(const SchemaParts& parts) {
  return has_any(parts, {"properties", "required", "additionalProperties", "items", "prefixItems", "minItems",
                         "maxItems", "minProperties", "maxProperties"});
}

}  // namespace

std::optional<std::vector<JsonValue>> SchemaCompiler::allowed_values(const SchemaParts& parts) {
  std::optional<std::vector<JsonValue>> allowed;
  const auto restrict = [&](const std::vector<JsonValue>& values) {
    if (!allowed) {
      allowed = values;
      return;
    }
    std::erase_if(*allowed, [&](const JsonValue& value) {
      return std::none_of(values.begin(), values.end(),
                          [&](const JsonValue& other) { return is_same(value, other); });
    });
  };
  for (const SchemaPart& part : parts) {
    const JsonValue* list = keyword(part, "enum");
    if (list != nullptr && list->is_array()) restrict({list->get_array().begin(), list->get_array().end()});
    if (const JsonValue* value = keyword(part, "const")) restrict({*value});
  }
  return allowed;
}

bool SchemaCompiler::is_allowed_scalar(const JsonValue& value, const SchemaParts& parts,
                                       ScalarLimits& limits) {
  const std::optional<std::shared_ptr<const Lexeme>>* lexeme = nullptr;
  if (value.is_string() && has_any(parts, {"minLength", "maxLength", "pattern", "format"})) {
    if (!limits.strings) limits.strings = scalars_.string_lexeme(parts);
    lexeme = &limits.strings;
  } else if (value.is_number() &&
             has_any(parts, {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})) {
    if (!limits.numbers) limits.numbers = scalars_.number_lexeme(parts, NumberRange::Kind::number);
    lexeme = &limits.numbers;
  } else {
    return true;
  }
  return **lexeme && matches(***lexeme, text_of(value));
}

std::vector<NodeId> SchemaCompiler::compile_values(const SchemaParts& parts,
                                                   const std::vector<JsonValue>& values, Types types,
                                                   Level level) {
  const Notation* form = level == Level::top ? nullptr : notation(level);
  std::vector<std::string> texts;
  std::vector<std::string> strings;
  Types others = 0;
  std::vector<NodeId> nodes;
  ScalarLimits limits;
  for (const JsonValue& value : values) {
    if (is_over_budget()) break;
    if ((type_of(value) & types) == 0) continue;
    if (!value.is_string()) others |= type_of(value);
    if (!is_scalar(value)) {
      if (limits_containers(parts))
        unchecked_.add(parts.front(), "enum", "stands beside limits that are only checked afterwards");
      nodes.push_back(add_value(builder_, value));
    } else if (is_allowed_scalar(value, parts, limits)) {
      add_value_of_enum(value, form, form != nullptr && value.is_string() ? strings : texts);
    }
  }
  if (!texts.empty()) nodes.push_back(builder_.add_terminal(make_literals(texts)));
  std::vector<NodeId> string_nodes;
  if (!strings.empty()) {
    const OtherTypes beside = others == 0 ? OtherTypes::none : OtherTypes::some;
    string_nodes = notation(level)->string_values(strings, beside, parts.front(), unchecked_);
  }
  return as_value(std::move(string_nodes), std::move(nodes), level);
}

}  // namespace parley::inference::grammar
