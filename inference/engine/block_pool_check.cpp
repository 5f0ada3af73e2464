// The slow check of BlockPool's invariants: recounts everything from the tables.

#include "inference/engine/block_pool.h"

namespace parley::inference::engine {
namespace {

std::string about(BlockId block, const char* what) { return "block " + std::to_string(block) + ": " + what; }

}  // namespace

std::string BlockPool::find_inconsistency(std::span<const std::vector<BlockId>> tables) const {
  std::vector<std::int32_t> held(references_.size());
  std::vector<std::int32_t> children(references_.size());
  std::vector<bool> is_free(references_.size());
  for (const auto& table : tables) {
    for (const BlockId block : table) ++held[static_cast<std::size_t>(block)];
  }
  for (const BlockId block : free_) {
    if (is_free[static_cast<std::size_t>(block)]) return about(block, "twice in the free list");
    is_free[static_cast<std::size_t>(block)] = true;
  }
  int cached = 0;
  for (BlockId block = 0; block < num_blocks(); ++block) {
    const auto index = static_cast<std::size_t>(block);
    if (held[index] != references_[index]) return about(block, "references differ from the tables");
    if (is_free[index] && (held[index] > 0 || index_.contains(block))) return about(block, "free and in use");
    if (!is_free[index] && held[index] == 0 && !index_.contains(block)) return about(block, "lost");
    if (!index_.contains(block)) continue;
    cached += held[index] == 0 ? 1 : 0;
    const BlockPlace place = index_.place(block);
    if (index_.find(place) != block) return about(block, "not found at its place");
    if (place.parent == kNoBlock) continue;
    ++children[static_cast<std::size_t>(place.parent)];
    if (!index_.contains(place.parent)) return about(block, "parent is not indexed");
    if (held[index] > 0 && !is_referenced(place.parent)) return about(block, "parent is not referenced");
    if (!(chain_key(index_.place(place.parent).key, place.tokens) == place.key))
      return about(block, "wrong key");
  }
  if (cached != num_cached_) return "the count of cached blocks is wrong";
  for (BlockId block = 0; block < num_blocks(); ++block) {
    const auto index = static_cast<std::size_t>(block);
    if (index_.num_children(block) != children[index] && index_.contains(block)) {
      return about(block, "wrong number of children");
    }
    const bool leaf = index_.contains(block) && held[index] == 0 && children[index] == 0;
    if (leaf != evictable_.contains(block))
      return about(block, "evictable and not a cached leaf, or the reverse");
  }
  return {};
}

}  // namespace parley::inference::engine
