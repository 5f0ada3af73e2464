#pragma once
// A nondeterministic automaton over bytes, and its builder, which knows how characters are written as bytes:
// in UTF-8, or in the inside of a JSON string with its escapes. Plain values; a finished Nfa is immutable,
// any thread. Too large an automaton is not an error here but a flag, after which building has no effect.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/grammar/code_point_set.h"

namespace parley::inference::grammar {

struct Nfa {
  using State = std::uint32_t;

  struct Edge {
    std::uint8_t low = 0;
    std::uint8_t high = 0;
    State to = 0;
  };
  // Taken without a byte: always, only before the first byte, or only after the last one.
  enum class When : std::uint8_t { always, at_begin, at_end };
  struct Link {
    When when = When::always;
    State to = 0;
  };
  struct Node {
    std::vector<Edge> edges;
    std::vector<Link> links;
  };

  std::vector<Node> nodes;
  State start = 0;
  State accept = 0;
};

// In a JSON string characters may also be escaped: \n and its like, \uXXXX, surrogate pairs. Printable ASCII
// is written as \uXXXX only where any character may stand.
enum class CharacterEncoding : std::uint8_t { utf8, json_string };

class NfaBuilder {
 public:
  explicit NfaBuilder(std::size_t max_states) : max_states_(max_states) {}

  Nfa::State add_state();
  void link(Nfa::State from, Nfa::State to, Nfa::When when = Nfa::When::always);
  void add_bytes(Nfa::State from, std::uint8_t low, std::uint8_t high, Nfa::State to);
  void add_characters(Nfa::State from, const CodePointSet& set, CharacterEncoding encoding, Nfa::State to);

  // Counts a step of work: more than a few per state is as bad as too many states.
  void count_step();
  bool too_large() const { return too_large_; }

  Nfa take(Nfa::State start, Nfa::State accept);

 private:
  std::size_t max_states_;
  std::size_t num_steps_ = 0;
  bool too_large_ = false;
  Nfa nfa_;
};

}  // namespace parley::inference::grammar
