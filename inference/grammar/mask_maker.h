#pragma once
// Which tokens may come next in a state of a machine, as a bit mask. Remembers the masks made last. One
// machine, one thread. Never fails.

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <unordered_map>
#include <vector>

#include "inference/grammar/grammar_machine.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

class MaskMaker {
 public:
  // Borrows both.
  MaskMaker(const VocabularyIndex& vocabulary, GrammarMachine& machine)
      : vocabulary_(vocabulary), machine_(machine) {}

  // Sets the bits of all tokens that may come next, clears all others, those past the vocabulary too.
  void fill(GrammarMachine::State state, std::span<std::uint64_t> mask);

  std::size_t num_made() const { return num_made_; }

 private:
  using State = GrammarMachine::State;
  struct Entry {
    State state = 0;
    MaskWords mask;
  };

  const MaskWords& find(State state);
  MaskWords make(State state);
  void refuse_too_long(State state, std::uint32_t room, MaskWords& mask);
  bool allows(State state, TokenId token);
  void walk(const TokenTrie& trie, State state, MaskWords& mask);
  void add_long_tokens(State state, MaskWords& mask);
  void add_special_tokens(State state, MaskWords& mask);

  const VocabularyIndex& vocabulary_;
  GrammarMachine& machine_;
  std::list<Entry> entries_;  // the one used last is the first
  std::unordered_map<State, std::list<Entry>::iterator> by_state_;
  std::size_t num_made_ = 0;
};

}  // namespace parley::inference::grammar
