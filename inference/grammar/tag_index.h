#pragma once
// Which tags can still be reached from the states of a trie, where they are more than the 64 bits of
// open_tags: a list of pairs, one for each character of all strings at most. Immutable once finished, any
// thread. Never fails.

#include <cstddef>
#include <utility>
#include <vector>

#include "inference/grammar/lexeme.h"

namespace parley::inference::grammar {

class TagIndex {
 public:
  void add(ByteAutomaton::State state, int tag) { pairs_.emplace_back(state, tag); }
  // Behind the last add.
  void finish();

  // Whether a tag from `first` to `last` can be reached. An index without any pairs knows of none that
  // cannot.
  bool reaches(ByteAutomaton::State state, int first, int last) const;
  std::size_t memory() const { return pairs_.capacity() * sizeof(pairs_[0]); }

 private:
  std::vector<std::pair<ByteAutomaton::State, int>> pairs_;  // ascending
};

}  // namespace parley::inference::grammar
