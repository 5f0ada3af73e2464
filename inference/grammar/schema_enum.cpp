#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string_view>
#include <unordered_set>
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

void append_number(const JsonValue& value, std::string& out) {
  if (!value.is_double()) {
    out += json::to_json_text(value);
    return;
  }
  const double number = value.get_double() == 0 ? 0 : value.get_double();  // no negative zero
  char buffer[400];  // the largest double has 309 digits
  const bool is_whole = number == std::floor(number);
  const auto end = is_whole ? std::to_chars(buffer, std::end(buffer), number, std::chars_format::fixed)
                            : std::to_chars(buffer, std::end(buffer), number);
  out.append(buffer, end.ptr);
}

// Of equal values the texts are equal, and of others not, as JSON Schema compares: 1 and 1.0 are the same,
// and members have no order.
void append_canonical(const JsonValue& value, std::string& out) {
  if (value.is_number()) {
    append_number(value, out);
  } else if (const JsonArray* elements = value.if_array()) {
    out += '[';
    for (const JsonValue& element : *elements) {
      append_canonical(element, out);
      out += ',';
    }
    out += ']';
  } else if (const JsonObject* members = value.if_object()) {
    std::map<std::string_view, const JsonValue*> ordered;
    for (const auto& member : *members) ordered.emplace(member.key(), &member.value());
    out += '{';
    for (const auto& [name, member] : ordered) {
      out += shortest_spelling(name) + ':';
      append_canonical(*member, out);
      out += ',';
    }
    out += '}';
  } else {
    out += json::to_json_text(value);
  }
}

std::string canonical(const JsonValue& value) {
  std::string text;
  append_canonical(value, text);
  return text;
}

// Of the nodes that a value takes, an estimate.
std::size_t memory_of_value(const JsonValue& value) {
  constexpr std::size_t kValueBytes = 600;
  std::size_t memory = kValueBytes;
  if (const JsonArray* elements = value.if_array()) {
    for (const JsonValue& element : *elements) memory += memory_of_value(element);
  } else if (const JsonObject* members = value.if_object()) {
    for (const auto& member : *members)
      memory += member.key().size() * kTrieStateBytes + memory_of_value(member.value());
  } else if (const auto* text = value.if_string()) {
    memory += text->size() * kTrieStateBytes;
  }
  return memory;
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

void SchemaCompiler::keep_common(Values& values, const Values& others) {
  std::unordered_set<std::string> known;
  const auto text_of_value = [&](const JsonValue* value) {
    std::string text = canonical(*value);
    budget_.spend(1 + text.size() / kBytesPerStep);
    return text;
  };
  for (const JsonValue* other : others) {
    if (!budget_.is_over()) known.insert(text_of_value(other));
  }
  std::erase_if(values, [&](const JsonValue* value) {
    return budget_.is_over() || !known.contains(text_of_value(value));
  });
}

std::optional<SchemaCompiler::Values> SchemaCompiler::allowed_values(const SchemaParts& parts) {
  std::optional<Values> allowed;
  const auto restrict = [&](Values values) {
    budget_.spend(values.size());
    if (allowed) {
      keep_common(*allowed, values);
    } else {
      allowed = std::move(values);
    }
  };
  for (const SchemaPart& part : parts) {
    const JsonValue* list = keyword(part, "enum");
    if (list != nullptr && list->is_array()) {
      Values values;
      for (const JsonValue& value : list->get_array()) values.push_back(&value);
      restrict(std::move(values));
    }
    if (const JsonValue* value = keyword(part, "const")) restrict({value});
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

std::vector<NodeId> SchemaCompiler::compile_values(const SchemaParts& parts, const Values& values,
                                                   Types types, Level level) {
  const Notation* form = level == Level::top ? nullptr : notation(level);
  std::vector<std::string> texts;
  std::vector<std::string> strings;
  Types others = 0;
  std::vector<NodeId> nodes;
  ScalarLimits limits;
  for (const JsonValue* allowed : values) {
    const JsonValue& value = *allowed;
    if (!budget_.spend(1)) break;
    if ((type_of(value) & types) == 0) continue;
    if (!value.is_string()) others |= type_of(value);
    if (!is_scalar(value)) {
      if (limits_containers(parts))
        unchecked_.add(parts.front(), "enum", "stands beside limits that are only checked afterwards");
      if (nodes.size() >= kMaxAlternatives) fail_for_alternatives();
      budget_.take(memory_of_value(value));
      if (is_over_budget()) break;
      nodes.push_back(add_value(builder_, value));
    } else if (is_allowed_scalar(value, parts, limits)) {
      add_value_of_enum(value, form, form != nullptr && value.is_string() ? strings : texts);
    }
  }
  if (!texts.empty()) nodes.push_back(builder_.add_terminal(scalars_.literals(texts)));
  std::vector<NodeId> string_nodes;
  if (!strings.empty()) {
    const OtherTypes beside = others == 0 ? OtherTypes::none : OtherTypes::some;
    string_nodes = notation(level)->string_values(strings, beside, parts.front(), scalars_, unchecked_);
  }
  return as_value(std::move(string_nodes), std::move(nodes), level);
}

}  // namespace parley::inference::grammar
