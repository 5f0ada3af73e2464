#pragma once
// Shares a step's prefill tokens among the requests that still compute their prompt: shortest remaining
// first, so that a short prompt does not wait for a long one; every step without tokens halves what counts as
// remaining, so that a long one does not wait forever.
//
// Lives on the engine thread. Cannot fail.

#include <span>
#include <vector>

#include "inference/engine/sequence.h"

namespace parley::inference::engine {

// Rows of one sequence in a step: positions num_computed .. num_computed + num_tokens - 1.
struct Chunk {
  Sequence* sequence = nullptr;
  int num_tokens = 0;

  bool draws_token() const { return num_tokens == sequence->remaining(); }
};

// Tokens that would go to others before a new request with `remaining` tokens gets any.
int tokens_ahead_of(int remaining, std::span<Sequence* const> prefilling);

// Appends the chunks of this step; reorders `prefilling`. Their sum is at most `budget`.
void share_prefill(std::span<Sequence*> prefilling, int budget, std::vector<Chunk>& chunks);

}  // namespace parley::inference::engine
