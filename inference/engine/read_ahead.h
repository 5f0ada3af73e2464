#pragma once
// Prompts that are read while the engine has nothing else to do, so that their KV blocks are in the cache
// when somebody asks (Purpose::read_ahead). The newest is worked on: whoever opened a chat last will ask
// first. What stands aside keeps no blocks but finds those in the cache that it had filled.
//
// Lives on the engine thread. Cannot fail; misuse is an assertion.

#include <memory>
#include <span>
#include <vector>

#include "inference/engine/block_pool.h"
#include "inference/engine/engine.h"
#include "inference/engine/prefill_share.h"

namespace parley::inference::engine {

class ReadAhead {
 public:
  static constexpr std::size_t kMaxWaiting = 8;

  // `pool` and `stats` outlive it; it counts read_ahead_tokens.
  ReadAhead(BlockPool& pool, EngineStats& stats) : pool_(pool), stats_(stats) {}

  void add(std::unique_ptr<Sequence> sequence);
  // Null: not here.
  std::unique_ptr<Sequence> remove(RequestId id, Retention retention);
  // The oldest, where there are more than kMaxWaiting; else null.
  const Sequence* surplus() const;
  const Sequence* find(RequestId id) const;

  // The newest one, with what is cached of it. There is one.
  const Sequence& resume();
  // Of resume()'s result: nothing is left to compute.
  static bool is_done(const Sequence& sequence) { return left(sequence) == 0; }
  // Its next rows, `max_tokens` at most; it is not done. None: all blocks are held by others.
  Chunk next(int max_tokens);
  // The step has finished.
  void commit(const Chunk& chunk);
  // Somebody else needs the engine: gives all blocks back.
  void stand_aside();

  bool empty() const { return sequences_.empty(); }
  std::span<const std::unique_ptr<Sequence>> sequences() const { return sequences_; }

 private:
  // Tokens of whole blocks that are not computed yet.
  static int left(const Sequence& sequence) {
    return sequence.max_hit_blocks() * backend::kBlockTokens - sequence.num_computed;
  }

  BlockPool& pool_;
  EngineStats& stats_;
  std::vector<std::unique_ptr<Sequence>> sequences_;  // by arrival; only the last one holds blocks
};

}  // namespace parley::inference::engine
