#pragma once
// Makes a Grammar. One object per grammar, one thread. What can never be completed (a list whose elements
// need a list of their own without end) is taken out, so that no text that is begun is stuck.

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "inference/grammar/grammar.h"

namespace parley::inference::grammar {

class GrammarBuilder {
 public:
  // No text at all.
  static constexpr NodeId kNever = 0;

  // Runs of white space between the parts of JSON are at most so long.
  explicit GrammarBuilder(std::uint32_t max_white_space);

  NodeId add_terminal(std::shared_ptr<const Lexeme> lexeme);
  NodeId add_sequence(std::vector<NodeId> nodes);
  NodeId add_choice(std::vector<NodeId> nodes);
  NodeId add_array(Grammar::Array array);
  // `quoted` keys are in their shortest spelling.
  NodeId add_object(Grammar::Object object);
  // `free_text` may end anywhere. A branch that can never be completed makes finish() fail.
  NodeId add_dispatch(std::shared_ptr<const Lexeme> free_text,
                      std::vector<Grammar::Dispatch::Branch> branches);
  // A choice to be filled later, for what contains itself.
  NodeId reserve();
  void fill(NodeId reserved, std::vector<NodeId> nodes);

  LexemeId add_lexeme(std::shared_ptr<const Lexeme> lexeme);
  std::uint32_t max_white_space() const { return max_white_space_; }
  std::size_t num_nodes() const { return grammar_.nodes.size(); }

  // Null: no text is in the language. The builder is used up.
  std::shared_ptr<const Grammar> finish(NodeId root);

 private:
  NodeId add(Grammar::Kind kind, std::size_t index);
  bool can_complete(NodeId node) const { return completable_[node]; }
  bool compute_completable(const Grammar::Node& node) const;
  bool is_object_completable(const Grammar::Object& object) const;
  bool is_array_completable(const Grammar::Array& array) const;
  void find_completable();
  bool has_stuck_branch() const;
  void prune();
  void prune_object(Grammar::Object& object);
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
