#pragma once
// How much text of a class may follow in a state of an automaton, whatever it is. Follows all characters of
// the class together, as long as none of them leads nowhere, and remembers where to. One object per
// automaton, one thread; borrows the automaton. Never fails.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "inference/grammar/lexeme.h"
#include "inference/grammar/text_class.h"

namespace parley::inference::grammar {

class TextRoom {
 public:
  // So many characters at most are followed: tokens are hardly ever longer.
  static constexpr std::uint32_t kMaxFollowed = 32;

  explicit TextRoom(ByteAutomaton& automaton) : automaton_(automaton) {}

  // As ByteAutomaton::text_room; not more than kMaxFollowed, unless it is endless. Of `unmarked` none: that
  // is for automata that know.
  std::uint32_t of(ByteAutomaton::State state, TextClass text);
  std::size_t memory() const { return next_.size() * 72; }
  // Steps of the automaton so far.
  std::size_t work() const { return work_; }

 private:
  const std::vector<ByteAutomaton::State>& next(ByteAutomaton::State state, TextClass text);

  ByteAutomaton& automaton_;
  std::unordered_map<std::uint64_t, std::vector<ByteAutomaton::State>> next_;  // by class and state
  std::size_t work_ = 0;
};

// The states that the characters of the class lead to. None: a character leads nowhere, or there are too
// many. Adds the steps that it takes to `work`.
std::vector<ByteAutomaton::State> next_by_class(ByteAutomaton& automaton, ByteAutomaton::State state,
                                                TextClass text, std::size_t& work);

}  // namespace parley::inference::grammar
