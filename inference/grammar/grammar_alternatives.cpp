#include "inference/grammar/grammar_alternatives.h"

#include <cstdint>
#include <vector>

namespace parley::inference::grammar {
namespace {

class AlternativeCounter {
 public:
  explicit AlternativeCounter(const Grammar& grammar)
      : grammar_(grammar), counted_for_(grammar.nodes.size()) {}

  bool has_more(NodeId choice, std::size_t max) {
    ++round_;
    open_ = {choice};
    std::size_t num_steps = 0;
    std::size_t num_branches = 0;
    while (!open_.empty() && num_branches <= max) {
      const NodeId node = open_.back();
      open_.pop_back();
      if (counted_for_[node] == round_) continue;
      counted_for_[node] = round_;
      if (grammar_.nodes[node].kind != Grammar::Kind::choice) {
        ++num_branches;
        continue;
      }
      const auto& branches = grammar_.choices[grammar_.nodes[node].index];
      num_steps += branches.size();
      if (num_steps > kStepsPerBranch * max) return true;
      open_.insert(open_.end(), branches.begin(), branches.end());
    }
    return num_branches > max;
  }

 private:
  // Choices that lead to the same branches again and again cost as much as branches.
  static constexpr std::size_t kStepsPerBranch = 8;

  const Grammar& grammar_;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> counted_for_;  // by node: the last round
  std::vector<NodeId> open_;
};

}  // namespace

bool has_more_alternatives(const Grammar& grammar, NodeId first_node, std::size_t max) {
  AlternativeCounter counter(grammar);
  for (NodeId node = first_node; node < grammar.nodes.size(); ++node) {
    if (grammar.nodes[node].kind == Grammar::Kind::choice && counter.has_more(node, max)) return true;
  }
  return false;
}

}  // namespace parley::inference::grammar
