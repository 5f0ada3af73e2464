#pragma once
// One request inside the engine: its tokens, its KV blocks, its standing in the queue.
//
// Lives on the engine thread. The scheduler (or ReadAhead) owns it and alone writes the members under
// "memory" and "queue"; EngineCore writes the rest. Cannot fail.

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "inference/engine/block_pool.h"
#include "inference/engine/engine.h"
#include "inference/engine/token_counts.h"

namespace parley::inference::engine {

using Clock = std::chrono::steady_clock;

// A request as it was accepted.
struct Submission {
  RequestId id = 0;  // also the order of arrival
  Request request;
  std::shared_ptr<TokenSink> sink;
  Clock::time_point time;
};

struct Sequence {
  Sequence(Submission submission, const BlockKey& root);

  int num_tokens() const { return static_cast<int>(tokens.size()); }
  int num_generated() const { return num_tokens() - num_prompt; }
  int remaining() const { return num_tokens() - num_computed; }  // rows until the next token can be drawn
  // Nothing is left to compute but the token that was drawn last, and those that were forced behind it.
  bool is_decoding() const { return remaining() <= 1 + num_undrawn; }
  bool has_run() const { return first_scheduled != Clock::time_point{}; }
  bool has_penalty() const { return request.sampling.repeat_penalty != 1.0f; }
  bool stops_at(std::int32_t token_id) const;
  // Blocks of the known tokens that a hit may cover: at least one token is left to compute.
  int max_hit_blocks() const { return (num_tokens() - 1) / backend::kBlockTokens; }
  BlockChain hit_chain() const;
  BlockTokens block_tokens(int block) const;
  // Makes keys cover all full blocks of the known tokens.
  void extend_keys();
  // It is in a step for the first time.
  void begin(Clock::time_point now);
  // Appends a drawn token.
  void append(std::int32_t token_id);
  // Appends one about which the constraint leaves no choice.
  void append_forced(std::int32_t token_id);

  const RequestId id;
  Request request;  // prompt moved out into tokens
  const std::shared_ptr<TokenSink> sink;
  const BlockKey root;
  const int num_prompt;
  std::vector<std::int32_t> tokens;                      // prompt and answer
  TokenCounts counts;                                    // empty when there is no repetition penalty
  std::unique_ptr<grammar::TokenConstraint> constraint;  // null until it runs, and without one
  int num_constrained_draws = 0;
  int num_forced = 0;           // of the answer's tokens
  int num_undrawn = 0;          // of those, behind the token that was drawn last
  int cached_at_admission = 0;  // prompt tokens found in the KV cache when first admitted
  Clock::time_point submitted;
  Clock::time_point first_scheduled;
  Clock::time_point first_token;

  // Memory
  std::vector<BlockKey> keys;   // of full blocks of tokens, as far as they were asked for
  std::vector<BlockId> blocks;  // the table
  int num_published = 0;        // leading blocks of the table that are published
  int num_computed = 0;         // leading tokens whose KV rows are in the blocks
  int furthest = 0;             // largest num_computed ever: rows before it are recomputation

  // Queue
  int num_passes = 0;     // younger requests admitted before this one
  int skipped_steps = 0;  // steps in a row in which its prefill got no tokens
  int num_preemptions = 0;
  RequestId twin = 0;     // request whose prefill this one waits for; 0: none
  int twin_progress = 0;  // num_computed of it when last seen
  int twin_stalls = 0;    // steps in a row without progress of it

 private:
  void add(std::int32_t token_id);
};

}  // namespace parley::inference::engine
