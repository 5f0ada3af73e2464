#include "inference/grammar/text_grammars.h"

#include <utility>

#include "inference/grammar/grammar_builder.h"
#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

std::shared_ptr<const Grammar> make_terminal_grammar(std::shared_ptr<const Lexeme> lexeme) {
  GrammarBuilder builder(0);
  return builder.finish(builder.add_terminal(std::move(lexeme)));
}

}  // namespace

std::variant<std::shared_ptr<const Grammar>, GrammarError> make_regex_grammar(std::string_view pattern) {
  const auto made = make_regex_lexeme(pattern, {});
  if (const auto* error = std::get_if<RegexError>(&made)) return GrammarError{error->message};
  return make_terminal_grammar(std::get<std::shared_ptr<const Lexeme>>(made));
}

std::shared_ptr<const Grammar> make_choice_grammar(std::span<const std::string> choices) {
  return make_terminal_grammar(make_literals(choices));
}

std::shared_ptr<const Grammar> make_banned_text_grammar(BannedText banned,
                                                        const VocabularyIndex& vocabulary) {
  return make_terminal_grammar(make_banned_text(std::move(banned), vocabulary));
}

}  // namespace parley::inference::grammar
