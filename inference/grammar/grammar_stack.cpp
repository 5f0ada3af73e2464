#include "inference/grammar/grammar_stack.h"

namespace parley::inference::grammar {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15;
  return hash ^ (hash >> 32);
}

bool is_nesting(StackItem::Kind kind) {
  return kind != StackItem::Kind::sequence && kind != StackItem::Kind::node &&
         kind != StackItem::Kind::dispatch;
}

}  // namespace

std::size_t StackPool::Hash::operator()(const StackItem& item) const {
  std::uint64_t hash = mix(std::uint64_t{item.node} << 32 | item.rest, item.seen);
  hash = mix(hash, std::uint64_t{item.count} << 32 | item.key);
  return static_cast<std::size_t>(mix(hash, static_cast<std::uint64_t>(item.kind)));
}

StackId StackPool::push(StackItem item) {
  item.depth = depth(item.rest) + (is_nesting(item.kind) ? 1 : 0);
  const auto [found, is_new] = ids_.try_emplace(item, static_cast<StackId>(items_.size()));
  if (is_new) items_.push_back(item);
  return found->second;
}

StackId StackPool::import(const StackPool& other, StackId stack) {
  std::vector<StackItem> items;  // from the top
  for (; stack != kEmptyStack; stack = other.top(stack).rest) items.push_back(other.top(stack));
  StackId made = kEmptyStack;
  while (!items.empty()) {
    items.back().rest = made;
    made = push(items.back());
    items.pop_back();
  }
  return made;
}

}  // namespace parley::inference::grammar
