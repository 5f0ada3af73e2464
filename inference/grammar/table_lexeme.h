#pragma once
// A deterministic automaton written out in full, as a lexeme; and how to make one: from literal strings, or
// by reading another automaton to its end. Immutable, any thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inference/grammar/lexeme.h"
#include "inference/grammar/tag_index.h"

namespace parley::inference::grammar {

struct DfaTable {
  using State = ByteAutomaton::State;
  struct Edge {
    std::uint8_t low = 0;
    std::uint8_t high = 0;
    State to = 0;
  };
  struct Node {
    std::vector<Edge> edges;  // apart from each other
    bool accepts = false;
    int tag = ByteAutomaton::kNoTag;
    std::uint64_t open_tags = ~std::uint64_t{0};
  };
  std::vector<Node> nodes{1};  // the first one is the start
  TagIndex tags;               // where there are more than 64

  State next(State state, std::uint8_t byte) const;
};

class TableLexeme final : public Lexeme {
 public:
  // Drops edges that lead nowhere. The language must not be empty.
  explicit TableLexeme(DfaTable table);

  std::unique_ptr<ByteAutomaton> make_automaton() const override;
  std::size_t memory() const override;

  const DfaTable& table() const { return table_; }
  const ByteSet& bytes(DfaTable::State state) const { return bytes_[state]; }

 private:
  DfaTable table_;
  std::vector<ByteSet> bytes_;
};

// What a state of a trie takes that has one edge: of literals no more than so many bytes for each character.
inline constexpr std::size_t kTrieStateBytes = sizeof(DfaTable::Node) + 32 + sizeof(ByteSet);

// One of the strings, which must not be none; `tag` tells which, the first among equals.
std::shared_ptr<const TableLexeme> make_literals(std::span<const std::string> strings);
std::shared_ptr<const TableLexeme> make_literal(std::string string);

// The same language as `lexeme`, written out. Null if it needs more states than that.
std::shared_ptr<const TableLexeme> write_out(const Lexeme& lexeme, std::size_t max_states);

// What both contain, written out. Nullopt if it needs more states than that; null inside if it is empty.
std::optional<std::shared_ptr<const TableLexeme>> intersect(const Lexeme& a, const Lexeme& b,
                                                            std::size_t max_states);

// Whether no accepting state can be reached from the start.
bool is_empty(const DfaTable& table);

}  // namespace parley::inference::grammar
