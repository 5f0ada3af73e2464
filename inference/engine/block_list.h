#pragma once
// A doubly linked list of block ids, ordered by time stamp, oldest first; each block is in it at most once.
// Lives on the engine thread. Misuse is an assertion. Needs no allocation after construction.

#include <cassert>
#include <cstdint>
#include <vector>

#include "inference/engine/prefix_index.h"

namespace parley::inference::engine {

class BlockList {
 public:
  explicit BlockList(int num_blocks) : links_(static_cast<std::size_t>(num_blocks) + 1) {
    link(end()).next = link(end()).previous = end();
  }

  bool empty() const { return link(end()).next == end(); }
  BlockId front() const { return empty() ? kNoBlock : link(end()).next; }
  bool contains(BlockId block) const { return link(block).next != kNoBlock; }

  // Keeps the order by stamp; among equals the new one is `back`-most or `front`-most. The cost is the number
  // of entries walked over from that side.
  void insert_from_back(BlockId block, std::uint64_t stamp) {
    BlockId after = link(end()).previous;
    while (after != end() && link(after).stamp > stamp) after = link(after).previous;
    insert_after(after, block, stamp);
  }
  void insert_from_front(BlockId block, std::uint64_t stamp) {
    BlockId before = link(end()).next;
    while (before != end() && link(before).stamp < stamp) before = link(before).next;
    insert_after(link(before).previous, block, stamp);
  }
  void remove(BlockId block) {
    assert(contains(block));
    Link& removed = link(block);
    link(removed.previous).next = removed.next;
    link(removed.next).previous = removed.previous;
    removed.next = removed.previous = kNoBlock;
  }

 private:
  struct Link {
    BlockId previous = kNoBlock;
    BlockId next = kNoBlock;
    std::uint64_t stamp = 0;
  };

  BlockId end() const { return static_cast<BlockId>(links_.size()) - 1; }
  Link& link(BlockId block) { return links_[static_cast<std::size_t>(block)]; }
  const Link& link(BlockId block) const { return links_[static_cast<std::size_t>(block)]; }
  void insert_after(BlockId after, BlockId block, std::uint64_t stamp) {
    assert(!contains(block));
    const BlockId before = link(after).next;
    link(block) = {after, before, stamp};
    link(after).next = link(before).previous = block;
  }

  std::vector<Link> links_;  // by block id, then the sentinel
};

}  // namespace parley::inference::engine
