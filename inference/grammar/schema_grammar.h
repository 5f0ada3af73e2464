#pragma once
// A JSON Schema as a grammar of the JSON texts that are valid by it. Pure functions, any thread; they may
// take up to SchemaOptions::max_time, so not on the engine's. What cannot be enforced is left out and listed;
// a schema that admits nothing, or exceeds its budget, is an error value.
//
// Enforced: type (also lists, nullable), properties, required, additionalProperties, min/maxProperties,
// items, prefixItems (and items as a list), min/maxItems, min/maxLength, pattern, format (schema_formats.h),
// minimum, maximum and their exclusive forms, enum, const, anyOf, oneOf (as anyOf), allOf, $ref inside the
// document, recursive as well. Texts may have their members in any order, bounded white space, and all legal
// escapes. Members that the schema does not name are in their shortest spelling; that no two of them are
// equal is not enforced. Numbers are as number_lexeme.h says; integers have no fraction.

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/schema_budget.h"
#include "inference/grammar/schema_options.h"
#include "inference/json/json.h"

namespace parley::inference::grammar {

std::variant<SchemaGrammar, GrammarError> compile_schema(const json::JsonValue& schema,
                                                         const SchemaOptions& options = {});

// As a part of a larger grammar; the node that it gives may turn out to admit nothing. Several schemas may
// share a budget.
std::variant<NodeId, GrammarError> add_schema(GrammarBuilder& builder, const json::JsonValue& schema,
                                              const SchemaOptions& options,
                                              std::vector<UncheckedKeyword>& unchecked, SchemaBudget& budget);

// Any JSON object, any JSON value.
std::shared_ptr<const Grammar> json_object_grammar(std::uint32_t max_white_space = kUsualWhiteSpace);
std::shared_ptr<const Grammar> json_value_grammar(std::uint32_t max_white_space = kUsualWhiteSpace);

}  // namespace parley::inference::grammar
