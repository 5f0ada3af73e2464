#pragma once
// What a grammar still expects behind the lexeme that is being read: a stack of items, stored once for all
// states that share it, so that equal stacks have equal numbers. One thread. Never fails.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "inference/grammar/grammar.h"

namespace parley::inference::grammar {

using StackId = std::uint32_t;
inline constexpr StackId kEmptyStack = 0;

struct StackItem {
  enum class Kind : std::uint8_t {
    sequence,      // member `count` of the sequence comes next
    node,          // `node` comes next
    array_first,   // behind the [
    array_after,   // behind element number `count`
    array_next,    // behind a comma
    object_first,  // behind the {
    object_key,    // behind a key: `key`, or what the lexeme's tag says
    object_after,  // behind a value
    object_next,   // behind a comma
    dispatch,      // behind free text
  };

  Kind kind = Kind::node;
  NodeId node = 0;
  std::uint32_t count = 0;  // elements or members so far
  std::uint32_t key = 0;
  std::uint64_t seen = 0;  // keys that may not come any more; where keys are ordered: how many of them
  StackId rest = kEmptyStack;
  std::uint32_t depth = 0;  // arrays and objects in the stack, this item included

  friend bool operator==(const StackItem&, const StackItem&) = default;
};

class StackPool {
 public:
  // `depth` is filled in.
  StackId push(StackItem item);
  // Not of the empty stack. Valid until the next push.
  const StackItem& top(StackId stack) const { return items_[stack]; }
  std::uint32_t depth(StackId stack) const { return items_[stack].depth; }
  std::size_t memory() const { return items_.size() * (2 * sizeof(StackItem) + 32); }
  // The stack here that equals one of another pool.
  StackId import(const StackPool& other, StackId stack);

 private:
  struct Hash {
    std::size_t operator()(const StackItem& item) const;
  };

  std::vector<StackItem> items_{1};
  std::unordered_map<StackItem, StackId, Hash> ids_;
};

}  // namespace parley::inference::grammar
