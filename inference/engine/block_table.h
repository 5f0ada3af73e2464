#pragma once
// What happens to a sequence's table of KV blocks, whoever works on it: its leading blocks are published as
// they become full, and all of it is given back at once. Engine thread. Cannot fail.

#include "inference/engine/block_pool.h"
#include "inference/engine/sequence.h"

namespace parley::inference::engine {

// Makes the blocks that num_computed fills, and that are not published yet, findable for others.
void publish_full_blocks(Sequence& sequence, BlockPool& pool);

// The sequence has no blocks afterwards, and nothing of it counts as computed.
void release_blocks(Sequence& sequence, BlockPool& pool, Retention retention);

}  // namespace parley::inference::engine
