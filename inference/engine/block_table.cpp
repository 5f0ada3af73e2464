#include "inference/engine/block_table.h"

namespace parley::inference::engine {

void publish_full_blocks(Sequence& sequence, BlockPool& pool) {
  for (; sequence.num_published < sequence.num_computed / backend::kBlockTokens; ++sequence.num_published) {
    const auto index = static_cast<std::size_t>(sequence.num_published);
    const BlockId parent = index == 0 ? kNoBlock : sequence.blocks[index - 1];
    sequence.blocks[index] =
        pool.publish(sequence.blocks[index], {sequence.keys[index], parent, sequence.request.cache_salt,
                                              sequence.block_tokens(sequence.num_published)});
  }
}

void release_blocks(Sequence& sequence, BlockPool& pool, Retention retention) {
  pool.release(sequence.blocks, retention);
  sequence.blocks.clear();
  sequence.num_published = 0;
  sequence.num_computed = 0;
}

}  // namespace parley::inference::engine
