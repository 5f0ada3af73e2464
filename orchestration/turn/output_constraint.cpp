#include "orchestration/turn/output_constraint.h"

#include <string>
#include <utility>
#include <vector>

#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/text_grammars.h"

namespace parley::orchestration::turn {
namespace {

namespace grammar = inference::grammar;
using GrammarPointer = std::shared_ptr<const grammar::Grammar>;
using Made = std::variant<GrammarPointer, ChatRejection>;

ChatRejection invalid_format(const OutputFormat& format, std::string message) {
  ChatRejection rejection;
  rejection.format = format.kind;
  rejection.kind = ChatRejection::Kind::invalid_format;
  rejection.message = std::move(message);
  return rejection;
}

std::string list_of(const std::vector<grammar::UncheckedKeyword>& parts) {
  std::string list;
  for (const grammar::UncheckedKeyword& part : parts) {
    list += (list.empty() ? "" : "; ") + part.keyword + " at " + part.place + " (" + part.reason + ")";
  }
  return list;
}

Made schema_grammar(const OutputFormat& format) {
  auto compiled = grammar::compile_schema(format.schema);
  if (const auto* error = std::get_if<grammar::GrammarError>(&compiled)) {
    return invalid_format(format, "The schema cannot be enforced: " + error->message);
  }
  auto& made = std::get<grammar::SchemaGrammar>(compiled);
  if (!made.unchecked.empty() && format.unchecked == UncheckedParts::refuse) {
    return invalid_format(format,
                          "These parts of the schema cannot be enforced: " + list_of(made.unchecked) +
                              ". Leave them out, or set \"strict\" to false and check them in the answer.");
  }
  return std::move(made.grammar);
}

Made regex_grammar(const OutputFormat& format) {
  auto made = grammar::make_regex_grammar(format.pattern);
  if (const auto* error = std::get_if<grammar::GrammarError>(&made)) {
    return invalid_format(format, "The pattern cannot be enforced: " + error->message);
  }
  return std::get<GrammarPointer>(std::move(made));
}

Made grammar_of(const OutputFormat& format) {
  switch (format.kind) {
    case OutputFormat::Kind::free:
      return GrammarPointer();
    case OutputFormat::Kind::json_object:
      return grammar::json_object_grammar();
    case OutputFormat::Kind::json_schema:
      return schema_grammar(format);
    case OutputFormat::Kind::regex:
      return regex_grammar(format);
  }
  return GrammarPointer();
}

}  // namespace

std::variant<ConstraintPointer, ChatRejection> make_output_constraint(
    const OutputFormat& format, const std::shared_ptr<const grammar::VocabularyIndex>& vocabulary) {
  Made made = grammar_of(format);
  if (auto* rejection = std::get_if<ChatRejection>(&made)) return std::move(*rejection);
  auto& rules = std::get<GrammarPointer>(made);
  if (!rules) return ConstraintPointer();
  return ConstraintPointer(grammar::make_constraint(std::move(rules), vocabulary));
}

}  // namespace parley::orchestration::turn
