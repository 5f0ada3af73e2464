#include "inference/tokenizer/byte_matcher.h"

#include <utility>

namespace parley::inference::tokenizer {

ByteMatcher::ByteMatcher(std::vector<std::string> patterns) : patterns_(std::move(patterns)), nodes_(1) {
  start_children_.fill(-1);
  for (std::size_t index = 0; index < patterns_.size(); ++index) insert(static_cast<int>(index));
  link_suffixes();
}

void ByteMatcher::insert(int pattern_index) {
  State state = kStart;
  for (const char character : pattern(pattern_index)) {
    const auto byte = static_cast<unsigned char>(character);
    State child = find_child(state, byte);
    if (child < 0) {
      child = static_cast<State>(nodes_.size());
      Node& parent = nodes_[static_cast<std::size_t>(state)];
      Node node;
      node.next_sibling = std::exchange(parent.first_child, child);
      node.prefix_of = pattern_index;
      node.depth = parent.depth + 1;
      node.byte = byte;
      nodes_.push_back(node);
      if (state == kStart) start_children_[byte] = child;
    }
    state = child;
  }
  Node& last = nodes_[static_cast<std::size_t>(state)];
  if (state != kStart && last.match == kNoPattern) last.match = pattern_index;
}

// Breadth first, so that the suffix of a node is complete before the node needs it.
void ByteMatcher::link_suffixes() {
  std::vector<State> queue = {kStart};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const State parent = queue[head];
    const State parent_fail = nodes_[static_cast<std::size_t>(parent)].fail;
    State child = nodes_[static_cast<std::size_t>(parent)].first_child;
    while (child >= 0) {
      Node& node = nodes_[static_cast<std::size_t>(child)];
      node.fail = parent == kStart ? kStart : next(parent_fail, node.byte);
      if (node.match == kNoPattern) node.match = longest_match(node.fail);
      queue.push_back(child);
      child = node.next_sibling;
    }
  }
}

ByteMatcher::State ByteMatcher::find_child(State state, unsigned char byte) const {
  if (state == kStart) return start_children_[byte];
  State child = nodes_[static_cast<std::size_t>(state)].first_child;
  while (child >= 0 && nodes_[static_cast<std::size_t>(child)].byte != byte) {
    child = nodes_[static_cast<std::size_t>(child)].next_sibling;
  }
  return child;
}

ByteMatcher::State ByteMatcher::next(State state, unsigned char byte) const {
  State child = find_child(state, byte);
  while (child < 0 && state != kStart) {
    state = nodes_[static_cast<std::size_t>(state)].fail;
    child = find_child(state, byte);
  }
  return child < 0 ? kStart : child;
}

std::string_view ByteMatcher::suffix(State state) const {
  if (state == kStart) return {};
  const Node& node = nodes_[static_cast<std::size_t>(state)];
  return std::string_view(pattern(node.prefix_of)).substr(0, node.depth);
}

}  // namespace parley::inference::tokenizer
