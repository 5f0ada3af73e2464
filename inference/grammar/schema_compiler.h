#pragma once
// Walks a JSON Schema and adds its nodes to a grammar. One object per schema, one thread. Works on sets of
// schemas that must all hold at one place, so that allOf and references need no merging of their own; equal
// sets are one node, which is what makes recursion end.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/notation.h"
#include "inference/grammar/schema_budget.h"
#include "inference/grammar/schema_index.h"
#include "inference/grammar/schema_options.h"
#include "inference/grammar/schema_parts.h"
#include "inference/grammar/schema_scalars.h"

namespace parley::inference::grammar {

class SchemaCompiler {
 public:
  // Borrows all of them.
  SchemaCompiler(GrammarBuilder& builder, const json::JsonValue& schema, const SchemaOptions& options,
                 SchemaBudget& budget);

  // Not to be used where the budget is over.
  NodeId compile();
  std::vector<UncheckedKeyword> take_unchecked() { return unchecked_.take(); }

 private:
  // Types as a set of bits.
  using Types = std::uint8_t;
  static constexpr Types kNull = 1, kBoolean = 2, kInteger = 4, kFraction = 8, kString = 16, kArray = 32,
                         kObject = 64, kAllTypes = 127;
  using Level = SchemaLevel;

  static Types types_of(const SchemaParts& parts);
  static Types type_named(std::string_view name);
  static Types type_of(const json::JsonValue& value);

  // Null: values of this level are JSON.
  Notation* notation(Level level) const;
  Level below(Level level) const;
  // Places that a text may be in at once cost time with every byte of it.
  static constexpr std::size_t kMaxAlternatives = 1000;

  bool is_over_budget();
  void fail_for_alternatives();
  NodeId compile(const SchemaParts& parts, Level level);
  std::vector<NodeId> branches_of(const SchemaParts& parts, Level level);
  std::vector<NodeId> compile_groups(const FlatSchema& flat, Level level);
  std::vector<NodeId> compile_types(const SchemaParts& parts, Level level);
  NodeId compile_words(Types types, Level level);
  std::vector<NodeId> compile_strings(const SchemaParts& parts, Level level);
  std::vector<NodeId> as_value(std::vector<NodeId> strings, std::vector<NodeId> others, Level level) const;
  void report_unenforced(const SchemaParts& parts, Types types);
  void report_looks(const FlatSchema& flat, Level level);

  // schema_enum.cpp
  using Values = std::vector<const json::JsonValue*>;
  std::optional<Values> allowed_values(const SchemaParts& parts);
  void keep_common(Values& values, const Values& others);
  std::vector<NodeId> compile_values(const SchemaParts& parts, const Values& values, Types types,
                                     Level level);
  // What scalars of an enum have to match; made when the first one needs it.
  struct ScalarLimits {
    std::optional<std::shared_ptr<const Lexeme>> strings, numbers;
  };
  bool is_allowed_scalar(const json::JsonValue& value, const SchemaParts& parts, ScalarLimits& limits);

  // schema_containers.cpp
  NodeId compile_array(const SchemaParts& parts);
  NodeId compile_object(const SchemaParts& parts, Level level);
  void add_declared_keys(const SchemaParts& parts, Level level, Grammar::Object& object);
  void add_required_keys(const SchemaParts& parts, const SchemaParts& others, Level level,
                         Grammar::Object& object);
  NodeId compile_member(const SchemaParts& parts, const SchemaParts& object, std::string_view name,
                        Level level);
  void add_other_keys(const SchemaParts& others, Level level, Grammar::Object& object);
  std::string key_text(std::string_view name, Level level) const;
  SchemaParts parts_of_member(const SchemaParts& parts, std::string_view name);
  SchemaParts parts_of_others(const SchemaParts& parts);
  NodeId any_value(Level level);

  GrammarBuilder& builder_;
  const json::JsonValue& schema_;
  const SchemaOptions& options_;
  SchemaBudget& budget_;
  SchemaIndex index_;
  UncheckedList unchecked_;
  SchemaScalars scalars_{unchecked_, budget_};
  std::map<std::pair<PartsKey, Level>, NodeId> known_;
  std::map<std::pair<Types, const Notation*>, NodeId> words_;
  std::optional<NodeId> any_value_;
  std::size_t first_node_ = 0;
  int depth_ = 0;
};

}  // namespace parley::inference::grammar
