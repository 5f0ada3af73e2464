#include "inference/grammar/text_room.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "inference/grammar/nfa.h"

namespace parley::inference::grammar {
namespace {

using State = ByteAutomaton::State;

constexpr std::size_t kMaxClassStates = 1000;  // far more than a class's characters need
constexpr std::size_t kMaxStates = 8;          // that the characters of a class may lead to
constexpr std::size_t kMaxReached = 64;

// The bytes of a class's characters, one character from start to accept.
Nfa write_class(TextClass text) {
  NfaBuilder builder(kMaxClassStates);
  const Nfa::State start = builder.add_state();
  const Nfa::State accept = builder.add_state();
  builder.add_characters(start, characters_of(text), CharacterEncoding::utf8, accept);
  return builder.take(start, accept);
}

const Nfa& nfa_of(TextClass text) {
  static const std::array<Nfa, kNumTextClasses> kNfas = [] {
    std::array<Nfa, kNumTextClasses> nfas;
    for (const TextClass each : kTextClasses) nfas[static_cast<std::size_t>(each)] = write_class(each);
    return nfas;
  }();
  return kNfas[static_cast<std::size_t>(text)];
}

// Reads all characters at once, branch by branch of their bytes.
class ClassStep {
 public:
  ClassStep(ByteAutomaton& automaton, const Nfa& characters, std::size_t& work)
      : automaton_(automaton), characters_(characters), work_(work) {}

  std::vector<State> from(State state) {
    if (!goes(characters_.start, state)) states_.clear();
    return std::move(states_);
  }

 private:
  bool goes(Nfa::State place, State state) {
    for (const Nfa::Edge& edge : characters_.nodes[place].edges) {
      State last = ByteAutomaton::kDead;
      for (int byte = edge.low; byte <= edge.high; ++byte) {
        ++work_;
        const State to = automaton_.next(state, static_cast<std::uint8_t>(byte));
        if (to == ByteAutomaton::kDead) return false;
        if (to == last) continue;
        last = to;
        const bool is_over = edge.to == characters_.accept;
        if (!(is_over ? arrive(to) : goes(edge.to, to))) return false;
      }
    }
    return true;
  }

  bool arrive(State state) {
    if (std::find(states_.begin(), states_.end(), state) == states_.end()) states_.push_back(state);
    return states_.size() <= kMaxStates;
  }

  ByteAutomaton& automaton_;
  const Nfa& characters_;
  std::size_t& work_;
  std::vector<State> states_;
};

}  // namespace

std::vector<State> next_by_class(ByteAutomaton& automaton, State state, TextClass text, std::size_t& work) {
  return ClassStep(automaton, nfa_of(text), work).from(state);
}

const std::vector<State>& TextRoom::next(State state, TextClass text) {
  const std::uint64_t key = std::uint64_t{static_cast<unsigned>(text)} << 32 | state;
  const auto [found, is_new] = next_.try_emplace(key);
  if (is_new) found->second = next_by_class(automaton_, state, text, work_);
  return found->second;
}

std::uint32_t TextRoom::of(State state, TextClass text) {
  if (text == TextClass::unmarked) return 0;
  std::vector<State> reached{state};  // by fewer characters first
  std::size_t begin = 0;              // of those reached by `count` characters, no fewer
  for (std::uint32_t count = 0; count < kMaxFollowed; ++count) {
    const std::size_t end = reached.size();
    for (std::size_t i = begin; i < end; ++i) {
      const std::vector<State>& to = next(reached[i], text);
      if (to.empty()) return count;
      for (const State each : to) {
        if (std::find(reached.begin(), reached.end(), each) == reached.end()) reached.push_back(each);
      }
    }
    if (reached.size() == end) return ByteAutomaton::kEndless;  // all of them have been gone on from
    if (reached.size() > kMaxReached) return count + 1;
    begin = end;
  }
  return kMaxFollowed;
}

}  // namespace parley::inference::grammar
