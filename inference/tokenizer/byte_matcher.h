#pragma once
// Finds many byte strings at once (Aho and Corasick 1975). Immutable after construction, any thread.
// A state stands for the longest suffix of the bytes seen that begins some pattern. Reading n bytes from
// kStart takes a number of steps proportional to n, whatever the patterns are. Never fails.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::inference::tokenizer {

class ByteMatcher {
 public:
  using State = std::int32_t;
  static constexpr State kStart = 0;
  static constexpr int kNoPattern = -1;

  // Empty patterns are ignored; of equal ones the first counts.
  explicit ByteMatcher(std::vector<std::string> patterns);

  State next(State state, unsigned char byte) const;

  // Index of the longest pattern that ends here, or kNoPattern.
  int longest_match(State state) const { return nodes_[static_cast<std::size_t>(state)].match; }

  // The suffix of the bytes seen that the state stands for. Borrows from the matcher.
  std::string_view suffix(State state) const;

  const std::string& pattern(int index) const { return patterns_[static_cast<std::size_t>(index)]; }

 private:
  // A trie; children are linked lists, which costs at most 256 steps for one byte and keeps long patterns
  // small.
  struct Node {
    State first_child = -1;
    State next_sibling = -1;
    State fail = kStart;  // the longest proper suffix that begins some pattern
    int match = kNoPattern;
    int prefix_of = 0;  // a pattern that begins with the bytes of this node
    std::uint32_t depth = 0;
    unsigned char byte = 0;
  };

  void insert(int pattern_index);
  void link_suffixes();
  State find_child(State state, unsigned char byte) const;

  std::vector<std::string> patterns_;
  std::vector<Node> nodes_;
  std::array<State, 256> start_children_;  // by byte, -1 where there is none: most steps are taken from here
};

}  // namespace parley::inference::tokenizer
