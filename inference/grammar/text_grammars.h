#pragma once
// Grammars that are not of a JSON Schema: a regular expression, one of some strings, text that lacks
// what is forbidden. Pure functions, any thread. A pattern that is not supported is an error value.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/grammar/banned_text.h"
#include "inference/grammar/grammar.h"
#include "inference/grammar/schema_options.h"

namespace parley::inference::grammar {

// The whole text matches.
std::variant<std::shared_ptr<const Grammar>, GrammarError> make_regex_grammar(std::string_view pattern);

// One of `choices`, which must not be none.
std::shared_ptr<const Grammar> make_choice_grammar(std::span<const std::string> choices);

// Any text but that; may end anywhere.
std::shared_ptr<const Grammar> make_banned_text_grammar(BannedText banned, const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
