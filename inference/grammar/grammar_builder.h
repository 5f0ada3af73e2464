#pragma once
// Makes a Grammar. One object per grammar, one thread. What can never be completed (a list whose elements
// need a list of their own without end) is taken out, so that no text that is begun is stuck.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "inference/grammar/grammar.h"

namespace parley::inference::grammar {

// What stands around and between the members of an object that is not JSON's. A lexeme may be of the empty
// text.
struct ObjectMarks {
  std::shared_ptr<const Lexeme> open, close, close_empty, comma, colon;
};

class GrammarBuilder {
 public:
  // No text at all.
  static constexpr NodeId kNever = 0;

  // Runs of white space between the parts of JSON are at most so long.
  explicit GrammarBuilder(std::uint32_t max_white_space);

  // For Grammar::Object::marks.
  std::uint32_t add_marks(const ObjectMarks& marks);
  NodeId add_terminal(std::shared_ptr<const Lexeme> lexeme);
  NodeId add_sequence(std::vector<NodeId> nodes);
  NodeId add_choice(std::vector<NodeId> nodes);
  NodeId add_array(Grammar::Array array);
  // `quoted` keys of JSON are in their shortest spelling; those of a key_maker come with their other keys.
  NodeId add_object(Grammar::Object object);
  // A branch that can never be completed makes finish() fail.
  NodeId add_dispatch(std::shared_ptr<const Lexeme> lexeme, std::vector<Grammar::Dispatch::Branch> branches);
  // A choice to be filled later, for what contains itself.
  NodeId reserve();
  void fill(NodeId reserved, std::vector<NodeId> nodes);

  LexemeId add_lexeme(std::shared_ptr<const Lexeme> lexeme);
  std::uint32_t max_white_space() const { return max_white_space_; }
  std::size_t num_nodes() const { return grammar_.nodes.size(); }
  // Whether from `first_node` on some choice, with all choices in it, has more than `max` branches.
  bool has_more_alternatives(NodeId first_node, std::size_t max) const;

  // Null: no text is in the language. The builder is used up.
  std::shared_ptr<const Grammar> finish(NodeId root);

 private:
  NodeId add(Grammar::Kind kind, std::size_t index);
  bool can_complete(NodeId node) const { return completable_[node]; }
  bool has_stuck_branch() const;
  void prune();
  void prune_object(Grammar::Object& object);
  static std::shared_ptr<const Lexeme> make_keys(const Grammar::Object& object,
                                                 std::span<const std::string> keys);
  void prune_array(Grammar::Array& array) const;

  std::uint32_t max_white_space_;
  Grammar grammar_;
  std::unordered_map<const Lexeme*, LexemeId> lexeme_ids_;
  std::vector<bool> completable_;
};

// `text` with at most `max` white-space characters of JSON before it, behind it, or on both sides.
enum class Around : std::uint8_t { nothing, before, behind, both };
std::shared_ptr<const Lexeme> make_punctuation(const std::string& text, Around white_space,
                                               std::uint32_t max);

}  // namespace parley::inference::grammar
