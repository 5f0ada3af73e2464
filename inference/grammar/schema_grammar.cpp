#include "inference/grammar/schema_grammar.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/string.hpp>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/schema_compiler.h"

namespace parley::inference::grammar {
namespace {

using json::JsonObject;
using json::JsonValue;

// What is done with a schema before there is a budget is bounded by these.
constexpr std::size_t kMaxSchemaValues = 20000;
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxUriBytes = 8192;

struct SchemaSize {
  std::size_t num_values = 0;
  std::size_t text_bytes = 0;
  std::size_t uri_bytes = 0;
};

// As far as the limit of values.
SchemaSize size_of(const JsonValue& schema) {
  SchemaSize size;
  std::vector<const JsonValue*> open{&schema};
  while (!open.empty() && size.num_values <= kMaxSchemaValues) {
    const JsonValue& value = *open.back();
    open.pop_back();
    ++size.num_values;
    if (const json::JsonArray* array = value.if_array()) {
      for (const JsonValue& element : *array) open.push_back(&element);
    } else if (const JsonObject* object = value.if_object()) {
      for (const auto& member : *object) {
        size.text_bytes += member.key().size();
        open.push_back(&member.value());
      }
      const JsonValue* id = object->if_contains("$id");
      if (id != nullptr && id->is_string()) size.uri_bytes += id->get_string().size();
    } else if (const auto* text = value.if_string()) {
      size.text_bytes += text->size();
    }
  }
  return size;
}

std::optional<GrammarError> size_problem(const JsonValue& schema) {
  const SchemaSize size = size_of(schema);
  if (size.num_values > kMaxSchemaValues) {
    return GrammarError{"The schema is too large: it has more than " + std::to_string(kMaxSchemaValues) +
                        " values."};
  }
  if (size.text_bytes > kMaxTextBytes) {
    return GrammarError{"The schema is too large: its names and texts are longer than " +
                        std::to_string(kMaxTextBytes) + " bytes together."};
  }
  if (size.uri_bytes > kMaxUriBytes) {
    return GrammarError{"The schema's $id are longer than " + std::to_string(kMaxUriBytes) +
                        " bytes together."};
  }
  return std::nullopt;
}

}  // namespace

std::variant<NodeId, GrammarError> add_schema(GrammarBuilder& builder, const JsonValue& schema,
                                              const SchemaOptions& options,
                                              std::vector<UncheckedKeyword>& unchecked,
                                              SchemaBudget& budget) {
  if (!schema.is_object() && !schema.is_bool())
    return GrammarError{"The schema is neither an object nor a boolean."};
  if (auto problem = size_problem(schema)) return *std::move(problem);
  SchemaCompiler compiler(builder, schema, options, budget);
  const NodeId node = compiler.compile();
  if (budget.is_over()) return GrammarError{*budget.error()};
  unchecked = compiler.take_unchecked();
  return node;
}

std::variant<SchemaGrammar, GrammarError> compile_schema(const JsonValue& schema,
                                                         const SchemaOptions& options) {
  GrammarBuilder builder(options.max_white_space);
  SchemaBudget budget(options);
  SchemaGrammar out;
  const auto node = add_schema(builder, schema, options, out.unchecked, budget);
  if (const auto* error = std::get_if<GrammarError>(&node)) return *error;
  out.grammar = builder.finish(std::get<NodeId>(node));
  if (!out.grammar) return GrammarError{"No JSON value can satisfy the schema."};
  return out;
}

std::shared_ptr<const Grammar> json_value_grammar(std::uint32_t max_white_space) {
  GrammarBuilder builder(max_white_space);
  return builder.finish(add_any_value(builder));
}

std::shared_ptr<const Grammar> json_object_grammar(std::uint32_t max_white_space) {
  GrammarBuilder builder(max_white_space);
  const NodeId any = add_any_value(builder);
  return builder.finish(add_any_object(builder, any));
}

}  // namespace parley::inference::grammar
