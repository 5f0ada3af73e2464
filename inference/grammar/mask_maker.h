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
    const VocabularyIndex::Slice* slice = nullptr;  // whose tokens may all come; null: none, or a mask
    std::vector<TokenId> more;
    MaskWords mask;  // where there is no list

    std::size_t memory() const {
      return sizeof(std::uint64_t) * mask.size() + sizeof(TokenId) * more.size() + 200;
    }
  };

  const Entry& find(State state);
  static void write(const Entry& entry, std::span<std::uint64_t> mask);
  Entry pack(State state, MaskWords mask);
  const VocabularyIndex::Slice* find_slice(State state);
  MaskWords make(State state);
  void begin_work(State state);
  void refuse_too_long(State state, std::uint32_t room, MaskWords& mask);
  bool allows(State state, TokenId token);
  void walk(State state, const VocabularyIndex::Slice* decided, MaskWords& mask);
  void add_long_tokens(State state, MaskWords& mask);
  void add_special_tokens(State state, MaskWords& mask);

  const VocabularyIndex& vocabulary_;
  GrammarMachine& machine_;
  std::list<Entry> entries_;  // the one used last is the first
  std::unordered_map<State, std::list<Entry>::iterator> by_state_;
  std::size_t memory_ = 0;  // of the entries
  std::size_t num_made_ = 0;
};

}  // namespace parley::inference::grammar
