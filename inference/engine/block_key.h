#pragma once
// Names of full KV blocks. A key covers a block's tokens and, through its parent's key, everything before it,
// so equal keys mean (up to hash collisions) an equal prefix. Keys are a hint: whoever uses one for a match
// compares parent and tokens as well, so isolation and correctness never hang on the hash.
//
// Pure functions, any thread. Cannot fail. Stable across processes and machines of the same endianness: keys
// may be stored.

#include <cstdint>
#include <span>

#include "inference/backend/step_plan.h"

namespace parley::inference::engine {

struct BlockKey {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const BlockKey&) const = default;
};

using BlockTokens = std::span<const std::int32_t, backend::kBlockTokens>;

// Key of the empty prefix. `cache_root` stands for everything that changes KV rows: model, KV type, rope
// settings.
BlockKey root_key(std::uint64_t cache_root, std::uint64_t cache_salt);

// Key of the block that follows `parent` and holds `tokens`.
BlockKey chain_key(const BlockKey& parent, BlockTokens tokens);

}  // namespace parley::inference::engine
