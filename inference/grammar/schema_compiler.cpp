#include "inference/grammar/schema_compiler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/string.hpp>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/schema_grammar.h"

namespace parley::inference::grammar {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr int kMaxSchemaDepth = 100;
constexpr std::size_t kMaxCombinations = 256;

std::size_t num_combinations(const std::vector<SchemaParts>& groups) {
  std::size_t product = 1;
  for (const SchemaParts& group : groups) {
    if (product <= kMaxCombinations) product *= group.size();
  }
  return product;
}

// Whether there are limits of what is no string.
bool limits_others(const SchemaParts& parts) {
  constexpr const char* kLimits[] = {
      "minimum",     "maximum",  "exclusiveMinimum", "exclusiveMaximum",    "items", "minItems", "maxItems",
      "prefixItems", "required", "properties",       "additionalProperties"};
  return std::any_of(parts.begin(), parts.end(), [&](const SchemaPart& part) {
    return std::any_of(std::begin(kLimits), std::end(kLimits),
                       [&](const char* name) { return keyword(part, name) != nullptr; });
  });
}

// A boolean that leaves the keyword without effect.
bool is_idle(std::string_view name, const JsonValue& value) {
  if (!value.is_bool() || name == "contains") return false;
  return value.get_bool() == (name != "uniqueItems");
}

const JsonValue& object_schema() {
  static const JsonValue kSchema{{"type", "object"}};
  return kSchema;
}

}  // namespace

SchemaCompiler::SchemaCompiler(GrammarBuilder& builder, const JsonValue& schema, const SchemaOptions& options)
    : builder_(builder),
      schema_(schema),
      options_(options),
      index_(schema),
      deadline_(std::chrono::steady_clock::now() + options.max_time),
      first_node_(builder.num_nodes()) {}

NodeId SchemaCompiler::compile() {
  SchemaParts parts{{&schema_, false, "#"}};
  if (options_.root == SchemaRoot::object) parts.push_back({&object_schema(), false, "#"});
  return compile(parts, Level::top);
}

bool SchemaCompiler::is_over_budget() {
  if (error_) return true;
  if (depth_ > kMaxSchemaDepth) {
    error_ = "The schema is nested more than 100 levels deep.";
  } else if (builder_.num_nodes() - first_node_ > options_.max_nodes) {
    error_ = "The schema is too large: it has more than " + std::to_string(options_.max_nodes) + " parts.";
  } else if (std::chrono::steady_clock::now() > deadline_) {
    error_ = "The schema takes more than " + std::to_string(options_.max_time.count()) + " ms to compile.";
  }
  return error_.has_value();
}

NodeId SchemaCompiler::compile(const SchemaParts& parts, Level level) {
  if (is_over_budget()) return GrammarBuilder::kNever;
  const auto [known, is_new] = known_.try_emplace({key_of(parts), level}, 0);
  if (!is_new) return known->second;
  const NodeId node = builder_.reserve();
  known->second = node;
  ++depth_;
  builder_.fill(node, branches_of(parts, level));
  --depth_;
  return node;
}

std::vector<NodeId> SchemaCompiler::branches_of(const SchemaParts& parts, Level level) {
  FlatSchema flat = flatten(parts, index_, unchecked_);
  if (flat.is_never) return {};
  while (num_combinations(flat.groups) > kMaxCombinations) {
    unchecked_.add(flat.groups.back().front(), "",
                   "is one alternative of too many and only checked afterwards");
    flat.groups.pop_back();
  }
  if (notation(level) != nullptr) report_looks(flat, level);
  if (!flat.groups.empty()) return compile_groups(flat, level);
  const bool says_nothing = flat.parts.empty() && level != Level::top;
  if (says_nothing) return {any_value(level)};
  return compile_types(flat.parts, level);
}

// Each way to choose one branch of every group, with all else.
std::vector<NodeId> SchemaCompiler::compile_groups(const FlatSchema& flat, Level level) {
  std::vector<SchemaParts> combinations{flat.parts};
  for (const SchemaParts& group : flat.groups) {
    std::vector<SchemaParts> longer;
    for (const SchemaParts& combination : combinations) {
      for (const SchemaPart& branch : group) {
        longer.push_back(combination);
        longer.back().push_back(branch);
      }
    }
    combinations = std::move(longer);
  }
  std::vector<NodeId> nodes;
  for (const SchemaParts& combination : combinations) {
    if (is_over_budget()) break;
    nodes.push_back(compile(combination, level));
  }
  return nodes;
}

std::vector<NodeId> SchemaCompiler::compile_types(const SchemaParts& parts, Level level) {
  const Types types = types_of(parts);
  report_unenforced(parts, types);
  const auto values = allowed_values(parts);
  const bool is_whole = level == Level::top && notation(level) != nullptr;
  if (values && !is_whole) return compile_values(parts, *values, types, level);
  if (values) unchecked_.add(parts.front(), "enum", "of all arguments together is only checked afterwards");
  std::vector<NodeId> nodes;
  const auto add = [&](std::shared_ptr<const Lexeme> lexeme) {
    if (lexeme) nodes.push_back(builder_.add_terminal(std::move(lexeme)));
  };
  add_words(types, level, nodes);
  if (types & kFraction) {
    add(scalars_.number_lexeme(parts, NumberRange::Kind::number));
  } else if (types & kInteger) {
    add(scalars_.number_lexeme(parts, NumberRange::Kind::integer));
  }
  if (types & kArray) nodes.push_back(compile_array(parts));
  if (types & kObject) nodes.push_back(compile_object(parts, level));
  std::vector<NodeId> strings;
  if (types & kString) strings = compile_strings(parts, level);
  return as_value(std::move(strings), std::move(nodes), level);
}

void SchemaCompiler::add_words(Types types, Level level, std::vector<NodeId>& nodes) {
  std::vector<std::string> words;
  const auto add = [&](const char* word) {
    if (const Notation* form = notation(level)) {
      for (std::string& spelling : form->spellings(word)) words.push_back(std::move(spelling));
    } else {
      words.emplace_back(word);
    }
  };
  if (types & kNull) add("null");
  if (types & kBoolean) {
    add("true");
    add("false");
  }
  if (!words.empty()) nodes.push_back(builder_.add_terminal(make_literals(words)));
}

std::vector<NodeId> SchemaCompiler::compile_strings(const SchemaParts& parts, Level level) {
  if (Notation* form = notation(level)) return form->strings(parts, scalars_, unchecked_);
  auto lexeme = scalars_.string_lexeme(parts);
  if (!lexeme) return {};
  return {builder_.add_terminal(std::move(lexeme))};
}

std::vector<NodeId> SchemaCompiler::as_value(std::vector<NodeId> strings, std::vector<NodeId> others,
                                             Level level) const {
  Notation* form = level == Level::top ? nullptr : notation(level);
  if (form != nullptr) return form->value(std::move(strings), std::move(others));
  others.insert(others.end(), strings.begin(), strings.end());
  return others;
}

Notation* SchemaCompiler::notation(Level level) const {
  return options_.notation != nullptr && options_.notation->applies(level) ? options_.notation : nullptr;
}

// Only other notations tell a member from what is deeper.
SchemaCompiler::Level SchemaCompiler::below(Level level) const {
  return level == Level::top && options_.notation != nullptr ? Level::member : Level::inner;
}

// A text that may be a string or something else is taken for what it looks like, whatever the schema wants of
// it.
void SchemaCompiler::report_looks(const FlatSchema& flat, Level level) {
  if (!notation(level)->tells_by_looks() || level == Level::top) return;
  Types types = 0;
  bool is_limited = false;
  const auto look_at = [&](const SchemaParts& parts) {
    const bool all_objects = std::all_of(parts.begin(), parts.end(),
                                         [](const SchemaPart& part) { return part.schema->is_object(); });
    if (!all_objects) return;
    types |= types_of(parts);
    is_limited = is_limited || limits_others(parts);
  };
  if (flat.groups.empty()) look_at(flat.parts);
  for (const SchemaParts& group : flat.groups) {
    for (const SchemaPart& branch : group) look_at({branch});
  }
  const bool is_open = (types & kString) != 0 && (types & ~kString) != 0;
  const bool has_values = flat.groups.empty() && allowed_values(flat.parts).has_value();
  if (!is_open || !is_limited || has_values) return;
  const SchemaPart& part = flat.parts.empty() ? flat.groups.front().front() : flat.parts.front();
  unchecked_.add(part, "type",
                 "may be a string or something else, which is told by what it looks like: the limits "
                 "of the other types are only checked afterwards");
}

void SchemaCompiler::report_unenforced(const SchemaParts& parts, Types types) {
  struct Unenforced {
    const char* name;
    Types types;
  };
  constexpr Unenforced kUnenforced[] = {{"uniqueItems", kArray},       {"contains", kArray},
                                        {"unevaluatedItems", kArray},  {"patternProperties", kObject},
                                        {"propertyNames", kObject},    {"unevaluatedProperties", kObject},
                                        {"dependentRequired", kObject}};
  for (const SchemaPart& part : parts) {
    for (const auto& [name, concerned] : kUnenforced) {
      const JsonValue* value = (types & concerned) != 0 ? keyword(part, name) : nullptr;
      if (value != nullptr && !is_idle(name, *value))
        unchecked_.add(part, name, "is only checked afterwards");
    }
  }
}

SchemaCompiler::Types SchemaCompiler::type_named(std::string_view name) {
  if (name == "null") return kNull;
  if (name == "boolean") return kBoolean;
  if (name == "integer") return kInteger;
  if (name == "number") return kInteger | kFraction;
  if (name == "string") return kString;
  if (name == "array") return kArray;
  if (name == "object") return kObject;
  return name == "any" ? kAllTypes : 0;
}

SchemaCompiler::Types SchemaCompiler::type_of(const JsonValue& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return kNull;
    case boost::json::kind::bool_:
      return kBoolean;
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
      return kInteger;
    case boost::json::kind::double_:
      return value.get_double() == std::floor(value.get_double()) ? kInteger : kFraction;
    case boost::json::kind::string:
      return kString;
    case boost::json::kind::array:
      return kArray;
    case boost::json::kind::object:
      return kObject;
  }
  return 0;
}

SchemaCompiler::Types SchemaCompiler::types_of(const SchemaParts& parts) {
  Types types = kAllTypes;
  for (const SchemaPart& part : parts) {
    const JsonValue* type = keyword(part, "type");
    if (type == nullptr) continue;
    Types own = 0;
    if (type->is_string()) own = type_named(type->get_string());
    if (const JsonArray* names = type->if_array()) {
      for (const JsonValue& name : *names) own |= name.is_string() ? type_named(name.get_string()) : 0;
    }
    const JsonValue* nullable = keyword(part, "nullable");
    if (nullable != nullptr && nullable->is_bool() && nullable->get_bool()) own |= kNull;
    types &= own;
  }
  return types;
}

NodeId SchemaCompiler::any_value(Level level) {
  if (Notation* form = notation(level)) return form->any_value(level);
  if (!any_value_) any_value_ = add_any_value(builder_);
  return *any_value_;
}

namespace {

// Some of what is done with a schema, before and beside max_time, grows faster than it does.
constexpr std::size_t kMaxSchemaValues = 20000;
constexpr std::size_t kMaxUriBytes = 8192;

std::optional<GrammarError> size_problem(const JsonValue& schema) {
  std::vector<const JsonValue*> open{&schema};
  std::size_t num_values = 0;
  std::size_t uri_bytes = 0;
  while (!open.empty() && num_values <= kMaxSchemaValues) {
    const JsonValue& value = *open.back();
    open.pop_back();
    ++num_values;
    if (const json::JsonArray* array = value.if_array()) {
      for (const JsonValue& element : *array) open.push_back(&element);
    } else if (const JsonObject* object = value.if_object()) {
      for (const auto& member : *object) open.push_back(&member.value());
      const JsonValue* id = object->if_contains("$id");
      if (id != nullptr && id->is_string()) uri_bytes += id->get_string().size();
    }
  }
  if (num_values > kMaxSchemaValues) {
    return GrammarError{"The schema is too large: it has more than " + std::to_string(kMaxSchemaValues) +
                        " values."};
  }
  if (uri_bytes > kMaxUriBytes) {
    return GrammarError{"The schema's $id are longer than " + std::to_string(kMaxUriBytes) +
                        " bytes together."};
  }
  return std::nullopt;
}

}  // namespace

std::variant<NodeId, GrammarError> add_schema(GrammarBuilder& builder, const JsonValue& schema,
                                              const SchemaOptions& options,
                                              std::vector<UncheckedKeyword>& unchecked) {
  if (!schema.is_object() && !schema.is_bool())
    return GrammarError{"The schema is neither an object nor a boolean."};
  if (auto problem = size_problem(schema)) return *std::move(problem);
  SchemaCompiler compiler(builder, schema, options);
  const NodeId node = compiler.compile();
  if (compiler.error()) return GrammarError{*compiler.error()};
  unchecked = compiler.take_unchecked();
  return node;
}

std::variant<SchemaGrammar, GrammarError> compile_schema(const JsonValue& schema,
                                                         const SchemaOptions& options) {
  GrammarBuilder builder(options.max_white_space);
  SchemaGrammar out;
  const auto node = add_schema(builder, schema, options, out.unchecked);
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
