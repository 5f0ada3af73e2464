#pragma once
// Strings and numbers of a JSON Schema as lexemes. One object per schema, one thread; lexemes that are made
// twice are made once. What cannot be enforced is left out and reported.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/grammar/number_lexeme.h"
#include "inference/grammar/schema_parts.h"
#include "inference/grammar/string_lexeme.h"

namespace parley::inference::grammar {

class SchemaScalars {
 public:
  SchemaScalars(UncheckedList& unchecked, SchemaBudget& budget) : unchecked_(unchecked), budget_(budget) {}

  // Null: no value satisfies the parts.
  std::shared_ptr<const Lexeme> string_lexeme(const SchemaParts& parts);
  std::shared_ptr<const Lexeme> number_lexeme(const SchemaParts& parts, NumberRange::Kind kind);

  // One of the texts, which must not be none.
  std::shared_ptr<const Lexeme> literals(std::span<const std::string> texts);

  // The string as JSON text in its shortest spelling.
  static std::string quoted(std::string_view text);
  SchemaBudget& budget() { return budget_; }

 private:
  using Content = std::shared_ptr<const Lexeme>;

  std::optional<LengthRange> length_of(const SchemaParts& parts);
  void add_patterns(const SchemaPart& part, std::vector<std::pair<const SchemaPart*, Content>>& contents);
  Content pattern_content(const SchemaPart& part, std::string_view pattern);

  UncheckedList& unchecked_;
  SchemaBudget& budget_;
  std::map<std::string, Content, std::less<>> patterns_;
  std::map<std::string, Content, std::less<>> numbers_;
};

}  // namespace parley::inference::grammar
