#include "inference/engine/block_pool.h"

#include <algorithm>
#include <cassert>

namespace parley::inference::engine {
namespace {

constexpr std::size_t kPrefetchDistance = 8;

std::size_t at(BlockId block) { return static_cast<std::size_t>(block); }

std::string about(BlockId block, const char* what) { return "block " + std::to_string(block) + ": " + what; }

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

// Recounts everything from the tables.
std::string BlockPool::find_inconsistency(std::span<const std::vector<BlockId>> tables) const {
  std::vector<std::int32_t> held(references_.size());
  std::vector<std::int32_t> children(references_.size());
  std::vector<bool> is_free(references_.size());
  for (const auto& table : tables) {
    for (const BlockId block : table) ++held[at(block)];
  }
  for (const BlockId block : free_) {
    if (is_free[at(block)]) return about(block, "twice in the free list");
    is_free[at(block)] = true;
  }
  int cached = 0;
  for (BlockId block = 0; block < num_blocks(); ++block) {
    const bool indexed = index_.contains(block);
    if (held[at(block)] != references_[at(block)]) return about(block, "references differ from the tables");
    if (is_free[at(block)] && (held[at(block)] > 0 || indexed)) return about(block, "free and in use");
    if (!is_free[at(block)] && held[at(block)] == 0 && !indexed) return about(block, "lost");
    if (indexed && held[at(block)] == 0) ++cached;
    if (indexed && index_.parent(block) != kNoBlock) ++children[at(index_.parent(block))];
  }
  if (cached != num_cached_) return "the count of cached blocks is wrong";
  for (BlockId block = 0; block < num_blocks(); ++block) {
    if (const char* wrong = find_wrong_place(block, children[at(block)])) return about(block, wrong);
  }
  return {};
}

// What is wrong with the block's place in the tree, given how many children it has; null: nothing.
const char* BlockPool::find_wrong_place(BlockId block, int num_children) const {
  const bool indexed = index_.contains(block);
  const bool leaf = indexed && !is_referenced(block) && num_children == 0;
  if (leaf != evictable_.contains(block)) return "evictable and not a cached leaf, or the reverse";
  if (!indexed) return nullptr;
  if (index_.num_children(block) != num_children) return "wrong number of children";
  const BlockPlace place = index_.place(block);
  if (index_.find(place) != block) return "not found at its place";
  if (place.parent == kNoBlock) return nullptr;
  if (!index_.contains(place.parent)) return "parent is not indexed";
  if (is_referenced(block) && !is_referenced(place.parent)) return "parent is not referenced";
  const BlockKey& parent_key = index_.place(place.parent).key;
  return chain_key(parent_key, place.tokens) == place.key ? nullptr : "wrong key";
}

}  // namespace parley::inference::engine
