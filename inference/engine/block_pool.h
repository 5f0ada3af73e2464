#pragma once
// The KV blocks: who holds them, which are free, which are kept for reuse and which of those goes first.
//
// A block is free (contents worthless), referenced (one count for each table that lists it) or cached
// (published, held by nobody). Published blocks are found again by prefix; the cached leaf used longest ago
// is evicted first.
//
// Lives on the engine thread. Cannot fail but for allocate(), which says so; misuse is an assertion.
//
// Invariants, after every call
//  1. num_free + num_referenced + num_cached == num_blocks, and no block is in two states.
//  2. An indexed block's parent is indexed, and referenced if the block is (whoever lists a block lists its
//     parent). Hence every cached block can be evicted, leaf first, and available() is exact.
//  3. A published block is not handed out for writing before it was evicted.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "inference/engine/block_key.h"
#include "inference/engine/block_list.h"
#include "inference/engine/prefix_index.h"

namespace parley::inference::engine {

// What becomes of published blocks that nobody holds any more.
enum class Retention : std::uint8_t {
  keep,     // cached for the next request with that prefix
  discard,  // forgotten: their contents are not trusted
};

// The full blocks of a prompt, in order. keys[i] belongs to tokens [16 i, 16 i + 16).
struct BlockChain {
  std::span<const BlockKey> keys;
  std::span<const std::int32_t> tokens;  // at least 16 * keys.size()
  std::uint64_t salt = 0;

  BlockTokens block_tokens(std::size_t index) const {
    return BlockTokens(tokens.subspan(index * backend::kBlockTokens, backend::kBlockTokens));
  }
};

class BlockPool {
 public:
  explicit BlockPool(int num_blocks);

  // Appends the published blocks that hold the longest prefix of `chain` to `blocks`, without referencing
  // them.
  void match(const BlockChain& chain, std::vector<BlockId>& blocks) const;
  // Number of blocks that match() would find, judged by keys alone.
  int estimate_match(std::span<const BlockKey> keys) const;

  // One more reference on each of `blocks`; they must be published.
  void acquire(std::span<const BlockId> blocks);
  // A block to write, with one reference; evicts if need be. kNoBlock: every block is referenced.
  BlockId allocate();
  // Makes `block`, full and committed, findable. Gives the block that the caller's table shall list from now
  // on: if an equal one was published before, that one, referenced instead of `block`, which becomes free.
  BlockId publish(BlockId block, const BlockPlace& place);
  // Takes one reference from each block of a table. Unpublished blocks become free.
  void release(std::span<const BlockId> table, Retention retention);
  // Forgets every cached block.
  void drop_cache();

  int num_blocks() const { return static_cast<int>(references_.size()); }
  int num_free() const { return static_cast<int>(free_.size()); }
  int num_cached() const { return num_cached_; }
  int num_referenced() const { return num_blocks() - num_free() - num_cached_; }
  int available() const { return num_free() + num_cached_; }
  bool is_referenced(BlockId block) const { return references_[static_cast<std::size_t>(block)] > 0; }
  bool is_published(BlockId block) const { return index_.contains(block); }

  // A sentence about the first broken invariant, or nothing. Slow; for tests. `tables` are all that is held.
  std::string find_inconsistency(std::span<const std::vector<BlockId>> tables) const;

 private:
  const char* find_wrong_place(BlockId block, int num_children) const;
  void release_one(BlockId block, Retention retention);
  void forget(BlockId block);  // unpublishes a cached block that has no children
  BlockId evict();

  PrefixIndex index_;
  std::vector<std::int32_t> references_;  // by block id
  std::vector<std::uint64_t> last_use_;   // by block id, in ticks of clock_
  std::vector<BlockId> free_;             // used as a stack
  BlockList evictable_;                   // cached blocks without children, least recently used first
  int num_cached_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace parley::inference::engine
