#pragma once
// What a state of a machine leaves no choice about: bytes, control tokens, and both as a run of tokens. As
// the machine learns on the way, one thread at a time. Never fails.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inference/grammar/grammar_machine.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

// Whether some byte may come.
bool has_next_byte(GrammarMachine& machine, GrammarMachine::State state);

// The bytes that must come, at most `max_bytes` of them; `state` moves behind them. None where the text may
// end, or a control token may come.
std::string read_forced_bytes(GrammarMachine& machine, GrammarMachine::State& state, std::size_t max_bytes);

// The same from a state on, as many of them as bounded work finds.
std::string find_forced_bytes(GrammarMachine& machine, GrammarMachine::State state, std::size_t max_bytes);

// The control token, or the ordinary one that counts as one symbol, that must come.
std::optional<TokenId> only_token(GrammarMachine& machine, GrammarMachine::State state,
                                  const VocabularyIndex& vocabulary);

// As TokenConstraint::forced_run, within bounded work.
std::vector<TokenId> forced_run(GrammarMachine& machine, GrammarMachine::State state,
                                const VocabularyIndex& vocabulary, std::span<const TokenId> context);

}  // namespace parley::inference::grammar
