#include "inference/engine/read_ahead.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "inference/engine/block_table.h"

namespace parley::inference::engine {

void ReadAhead::add(std::unique_ptr<Sequence> sequence) {
  stand_aside();
  sequences_.push_back(std::move(sequence));
}

std::unique_ptr<Sequence> ReadAhead::remove(RequestId id, Retention retention) {
  const auto found =
      std::find_if(sequences_.begin(), sequences_.end(), [id](const auto& s) { return s->id == id; });
  if (found == sequences_.end()) return nullptr;
  std::unique_ptr<Sequence> sequence = std::move(*found);
  sequences_.erase(found);
  release_blocks(*sequence, pool_, retention);
  return sequence;
}

const Sequence* ReadAhead::surplus() const {
  return sequences_.size() > kMaxWaiting ? sequences_.front().get() : nullptr;
}

const Sequence* ReadAhead::find(RequestId id) const {
  for (const auto& sequence : sequences_) {
    if (sequence->id == id) return sequence.get();
  }
  return nullptr;
}

const Sequence& ReadAhead::resume() {
  assert(!sequences_.empty());
  Sequence& sequence = *sequences_.back();
  if (!sequence.blocks.empty()) return sequence;
  pool_.match(sequence.hit_chain(), sequence.blocks);
  pool_.acquire(sequence.blocks);
  sequence.num_published = static_cast<int>(sequence.blocks.size());
  sequence.num_computed = sequence.num_published * backend::kBlockTokens;
  if (!sequence.has_run()) sequence.cached_at_admission = sequence.num_computed;
  return sequence;
}

Chunk ReadAhead::next(int max_tokens) {
  Sequence& sequence = *sequences_.back();
  const int end = sequence.num_computed + std::min(max_tokens, left(sequence));
  const auto table_tokens = [&] { return static_cast<int>(sequence.blocks.size()) * backend::kBlockTokens; };
  while (table_tokens() < end) {
    const BlockId block = pool_.allocate();
    if (block == kNoBlock) break;
    sequence.blocks.push_back(block);
  }
  return {&sequence, std::min(end, table_tokens()) - sequence.num_computed};
}

void ReadAhead::commit(const Chunk& chunk) {
  Sequence& sequence = *chunk.sequence;
  sequence.num_computed += chunk.num_tokens;
  stats_.read_ahead_tokens += static_cast<std::uint64_t>(chunk.num_tokens);
  publish_full_blocks(sequence, pool_);
}

void ReadAhead::stand_aside() {
  if (!sequences_.empty()) release_blocks(*sequences_.back(), pool_, Retention::keep);
}

}  // namespace parley::inference::engine
