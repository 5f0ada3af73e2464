#pragma once
// An Nfa as a lexeme: the sets of its states that texts lead to are made, and remembered, as they are needed
// (Rabin & Scott 1959, lazily). Immutable, any thread; the automata it makes belong to one thread.

#include <memory>

#include "inference/grammar/lexeme.h"
#include "inference/grammar/nfa.h"

namespace parley::inference::grammar {

// Null: the language is empty.
std::shared_ptr<const Lexeme> make_nfa_lexeme(Nfa nfa);

}  // namespace parley::inference::grammar
