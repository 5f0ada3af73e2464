#pragma once
// A regular expression as a lexeme: compiled to a nondeterministic automaton, made deterministic state by
// state as text asks for it. Immutable, any thread. A pattern that is not supported, or too large, is an
// error value.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>

#include "inference/grammar/lexeme.h"
#include "inference/grammar/nfa.h"
#include "inference/grammar/regex_syntax.h"

namespace parley::inference::grammar {

// Whether the whole text has to match, or any part of it does, as JSON Schema has it.
enum class RegexMatch : std::uint8_t { whole, anywhere };

struct RegexOptions {
  RegexMatch match = RegexMatch::whole;
  CharacterEncoding encoding = CharacterEncoding::utf8;
  std::size_t max_states = 50000;  // of the nondeterministic automaton
};

std::variant<std::shared_ptr<const Lexeme>, RegexError> make_regex_lexeme(std::string_view pattern,
                                                                          const RegexOptions& options);

}  // namespace parley::inference::grammar
