#pragma once
// Which KV block holds which prefix: a tree of published blocks, looked up through an open-addressing table
// by key. A match needs an equal key and the same parent, salt and tokens.
//
// Lives on the engine thread. Cannot fail; misuse is an assertion.
//
// Invariants
//  1. The parent of an indexed block is indexed: a block with children cannot be erased.
//  2. num_children(b) is the number of indexed blocks whose parent is b.
//  3. No two indexed blocks are equal in key, parent, salt and tokens.

#include <array>
#include <cstdint>
#include <vector>

#include "inference/engine/block_key.h"

namespace parley::inference::engine {

using BlockId = std::int32_t;
inline constexpr BlockId kNoBlock = -1;

// Where a block stands in the tree.
struct BlockPlace {
  BlockKey key;
  BlockId parent = kNoBlock;  // kNoBlock: first block of a sequence
  std::uint64_t salt = 0;
  BlockTokens tokens;
};

class PrefixIndex {
 public:
  explicit PrefixIndex(int num_blocks);

  // The block at `place`, or kNoBlock.
  BlockId find(const BlockPlace& place) const;
  // Whether some block has this key: a cheap estimate, not a match.
  bool has_key(const BlockKey& key) const;
  // `place` must not be taken, and `block` not be indexed.
  void insert(BlockId block, const BlockPlace& place);
  // `block` must be indexed and have no children.
  void erase(BlockId block);

  bool contains(BlockId block) const { return nodes_[static_cast<std::size_t>(block)].indexed; }
  int num_children(BlockId block) const { return nodes_[static_cast<std::size_t>(block)].num_children; }
  BlockId parent(BlockId block) const { return nodes_[static_cast<std::size_t>(block)].parent; }
  BlockPlace place(BlockId block) const;
  void prefetch(const BlockKey& key) const { __builtin_prefetch(&slots_[home(key)]); }

 private:
  // Two cache lines: what a probe needs first, then the tokens.
  struct alignas(64) Node {
    BlockKey key;
    std::uint64_t salt = 0;
    BlockId parent = kNoBlock;
    std::int32_t num_children = 0;
    bool indexed = false;
    alignas(64) std::array<std::int32_t, backend::kBlockTokens> tokens{};
  };
  struct Slot {
    BlockId block = kNoBlock;
    std::uint32_t tag = 0;  // bits of the key, to skip most foreign nodes unseen
  };

  std::size_t home(const BlockKey& key) const { return key.low & mask_; }
  std::size_t next(std::size_t slot) const { return (slot + 1) & mask_; }
  bool is_at(const Node& node, const BlockPlace& place) const;

  std::vector<Node> nodes_;  // by block id
  std::vector<Slot> slots_;  // a power of two, at most half full, linear probing without tombstones
  std::size_t mask_;
};

}  // namespace parley::inference::engine
