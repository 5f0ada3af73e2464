#include "inference/grammar/json_nodes.h"

#include <string>
#include <vector>

#include <boost/json/string.hpp>

#include "inference/grammar/number_lexeme.h"
#include "inference/grammar/string_lexeme.h"
#include "inference/grammar/table_lexeme.h"
#include "inference/json/json_writer.h"

namespace parley::inference::grammar {
namespace {

const std::shared_ptr<const Lexeme>& any_number_lexeme() {
  static const std::shared_ptr<const Lexeme> kLexeme = make_number_lexeme({});
  return kLexeme;
}

const std::shared_ptr<const Lexeme>& any_name_lexeme() {
  static const std::vector<std::string> kNames{"true", "false", "null"};
  static const std::shared_ptr<const Lexeme> kLexeme = make_literals(kNames);
  return kLexeme;
}

}  // namespace

std::shared_ptr<const Lexeme> any_string_lexeme() {
  static const std::shared_ptr<const Lexeme> kLexeme = make_quoted(any_string_content());
  return kLexeme;
}

NodeId add_any_object(GrammarBuilder& builder, NodeId any_value) {
  Grammar::Object object;
  object.others.push_back({.keys = nullptr, .value = any_value});
  object.max_depth = kMaxAnyDepth;
  return builder.add_object(std::move(object));
}

NodeId add_any_array(GrammarBuilder& builder, NodeId any_value) {
  Grammar::Array array;
  array.items = any_value;
  array.max_depth = kMaxAnyDepth;
  return builder.add_array(std::move(array));
}

NodeId add_any_value(GrammarBuilder& builder) {
  const NodeId any = builder.reserve();
  builder.fill(any, {add_any_object(builder, any), add_any_array(builder, any),
                     builder.add_terminal(any_string_lexeme()), builder.add_terminal(any_number_lexeme()),
                     builder.add_terminal(any_name_lexeme())});
  return any;
}

NodeId add_value(GrammarBuilder& builder, const json::JsonValue& value) {
  if (const json::JsonArray* elements = value.if_array()) {
    Grammar::Array array;
    for (const json::JsonValue& element : *elements) array.prefix.push_back(add_value(builder, element));
    array.min = static_cast<std::uint32_t>(array.prefix.size());
    array.max = array.min;
    return builder.add_array(std::move(array));
  }
  if (const json::JsonObject* members = value.if_object()) {
    Grammar::Object object;
    for (const auto& member : *members) {
      object.keys.push_back({.quoted = shortest_spelling(member.key()),
                             .value = add_value(builder, member.value()),
                             .is_required = true});
    }
    return builder.add_object(std::move(object));
  }
  if (const auto* text = value.if_string())
    return builder.add_terminal(make_literal(shortest_spelling(*text)));
  return builder.add_terminal(make_literal(json::to_json_text(value)));
}

}  // namespace parley::inference::grammar
