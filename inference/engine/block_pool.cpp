#include "inference/engine/block_pool.h"

#include <algorithm>
#include <cassert>

namespace parley::inference::engine {
namespace {

constexpr std::size_t kPrefetchDistance = 8;

std::size_t at(BlockId block) { return static_cast<std::size_t>(block); }

}  // namespace

BlockPool::BlockPool(int num_blocks)
    : index_(num_blocks), references_(at(num_blocks)), last_use_(at(num_blocks)), evictable_(num_blocks) {
  free_.reserve(at(num_blocks));
  for (BlockId block = num_blocks - 1; block >= 0; --block) free_.push_back(block);
}

void BlockPool::match(const BlockChain& chain, std::vector<BlockId>& blocks) const {
  BlockId parent = kNoBlock;
  for (std::size_t i = 0; i < chain.keys.size(); ++i) {
    if (i + kPrefetchDistance < chain.keys.size()) index_.prefetch(chain.keys[i + kPrefetchDistance]);
    parent = index_.find({chain.keys[i], parent, chain.salt, chain.block_tokens(i)});
    if (parent == kNoBlock) return;
    blocks.push_back(parent);
  }
}

// Parents are always present (invariant 2), so presence along a chain is monotone.
int BlockPool::estimate_match(std::span<const BlockKey> keys) const {
  const auto end = std::partition_point(keys.begin(), keys.end(),
                                        [this](const BlockKey& key) { return index_.has_key(key); });
  return static_cast<int>(end - keys.begin());
}

void BlockPool::acquire(std::span<const BlockId> blocks) {
  for (const BlockId block : blocks) {
    assert(index_.contains(block));
    if (references_[at(block)]++ > 0) continue;
    --num_cached_;
    if (evictable_.contains(block)) evictable_.remove(block);
  }
}

BlockId BlockPool::allocate() {
  BlockId block = kNoBlock;
  if (!free_.empty()) {
    block = free_.back();
    free_.pop_back();
  } else {
    block = evict();
  }
  if (block != kNoBlock) references_[at(block)] = 1;
  return block;
}

BlockId BlockPool::publish(BlockId block, const BlockPlace& place) {
  assert(references_[at(block)] == 1 && !index_.contains(block));
  assert(place.parent == kNoBlock || is_referenced(place.parent));
  const BlockId first = index_.find(place);
  if (first == kNoBlock) {
    index_.insert(block, place);
    return block;
  }
  acquire(std::span(&first, 1));
  release_one(block, Retention::keep);
  return first;
}

// Leaves first, so that a chain is evicted from its end and a block is a leaf when its turn comes.
void BlockPool::release(std::span<const BlockId> table, Retention retention) {
  ++clock_;
  for (auto block = table.rbegin(); block != table.rend(); ++block) release_one(*block, retention);
}

void BlockPool::release_one(BlockId block, Retention retention) {
  assert(references_[at(block)] > 0);
  last_use_[at(block)] = clock_;
  if (--references_[at(block)] > 0) return;
  if (!index_.contains(block)) {
    free_.push_back(block);
    return;
  }
  ++num_cached_;
  if (index_.num_children(block) > 0) return;
  evictable_.insert_from_back(block, clock_);
  if (retention == Retention::discard) forget(block);
}

void BlockPool::forget(BlockId block) {
  const BlockId parent = index_.parent(block);
  evictable_.remove(block);
  index_.erase(block);
  --num_cached_;
  free_.push_back(block);
  // The parent takes the place in the order that its own last use gives it.
  if (parent != kNoBlock && !is_referenced(parent) && index_.num_children(parent) == 0) {
    evictable_.insert_from_front(parent, last_use_[at(parent)]);
  }
}

BlockId BlockPool::evict() {
  const BlockId block = evictable_.front();
  if (block == kNoBlock) return kNoBlock;
  forget(block);
  free_.pop_back();
  return block;
}

void BlockPool::drop_cache() {
  while (!evictable_.empty()) forget(evictable_.front());
}

}  // namespace parley::inference::engine
