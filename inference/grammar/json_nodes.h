#pragma once
// Nodes for JSON as such: any value, any object, one given value. Free functions on a builder, its thread.

#include <memory>

#include "inference/grammar/grammar_builder.h"
#include "inference/json/json.h"

namespace parley::inference::grammar {

// What any value may contain is nested at most so deep, counted from the outside: what reads JSON has a
// limit.
inline constexpr std::uint32_t kMaxAnyDepth = 48;

NodeId add_any_value(GrammarBuilder& builder);
NodeId add_any_object(GrammarBuilder& builder, NodeId any_value);
NodeId add_any_array(GrammarBuilder& builder, NodeId any_value);
// The value as it is, members in any order.
NodeId add_value(GrammarBuilder& builder, const json::JsonValue& value);

std::shared_ptr<const Lexeme> any_string_lexeme();

}  // namespace parley::inference::grammar
