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

namespace parley::inference::grammar {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr int kMaxSchemaDepth = 100;
constexpr std::size_t kNodeBytes = 300;  // of a set of parts and its node, beside the parts
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

SchemaCompiler::SchemaCompiler(GrammarBuilder& builder, const JsonValue& schema, const SchemaOptions& options,
                               SchemaBudget& budget)
    : builder_(builder),
      schema_(schema),
      options_(options),
      budget_(budget),
      index_(schema),
      first_node_(builder.num_nodes()) {}

NodeId SchemaCompiler::compile() {
  SchemaParts parts{first_part(schema_, "#")};
  if (options_.root == SchemaRoot::object) parts.push_back(first_part(object_schema(), "#"));
  const NodeId root = compile(parts, Level::top);
  if (!budget_.is_over() && builder_.has_more_alternatives(first_node_, kMaxAlternatives)) {
    fail_for_alternatives();
  }
  return root;
}

void SchemaCompiler::fail_for_alternatives() {
  budget_.fail("The schema allows more than " + std::to_string(kMaxAlternatives) +
               " alternatives at one place: branches, or arrays and objects of an enum.");
}

bool SchemaCompiler::is_over_budget() {
  if (depth_ > kMaxSchemaDepth) {
    budget_.fail("The schema is nested more than 100 levels deep.");
  } else if (builder_.num_nodes() - first_node_ > options_.max_nodes) {
    budget_.fail("The schema is too large: it has more than " + std::to_string(options_.max_nodes) +
                 " parts.");
  }
  return !budget_.has_time();
}

NodeId SchemaCompiler::compile(const SchemaParts& parts, Level level) {
  budget_.spend(parts.size());
  budget_.take(kNodeBytes + parts.size() * sizeof(PartsKey::value_type));
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
  FlatSchema flat = flatten(parts, index_, unchecked_, budget_);
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
  std::vector<std::size_t> chosen(flat.groups.size());  // the last group's branch changes first
  std::vector<NodeId> nodes;
  for (bool has_more = true; has_more && !is_over_budget();) {
    SchemaParts combination = flat.parts;
    for (std::size_t i = 0; i < chosen.size(); ++i) combination.push_back(flat.groups[i][chosen[i]]);
    nodes.push_back(compile(combination, level));
    has_more = false;
    for (std::size_t i = chosen.size(); i-- > 0 && !has_more;) {
      has_more = ++chosen[i] < flat.groups[i].size();
      if (!has_more) chosen[i] = 0;
    }
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
  if (types & (kNull | kBoolean)) nodes.push_back(compile_words(types & (kNull | kBoolean), level));
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

NodeId SchemaCompiler::compile_words(Types types, Level level) {
  const Notation* form = notation(level);
  const auto [known, is_new] = words_.try_emplace({types, form}, 0);
  if (!is_new) return known->second;
  std::vector<std::string> words;
  const auto add = [&](const char* word) {
    if (form != nullptr) {
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
  known->second = builder_.add_terminal(make_literals(words));
  return known->second;
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

}  // namespace parley::inference::grammar
