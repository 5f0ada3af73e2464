#pragma once
// One step of the engine as the device sees it: a ragged batch of prefill chunks and decode rows, and what to
// sample from it. Plain data, any thread; immutable once handed to a backend.

#include <cstdint>
#include <span>
#include <vector>

namespace parley::inference::backend {

inline constexpr int kBlockTokens = 16;  // tokens of a KV block

// Consecutive rows of the batch that belong to one sequence.
// Row first_row + i holds the token at position first_position + i and attends to positions 0 .. its own.
struct SequenceRows {
  std::int32_t first_row = 0;
  std::int32_t num_rows = 0;        // >= 1
  std::int32_t first_position = 0;  // positions before it are already in the KV cache
  std::int32_t first_block = 0;     // index into StepPlan::block_table of the block of positions 0 .. 15
};

struct StepPlan {
  std::vector<std::int32_t> token_ids;    // [rows]
  std::vector<SequenceRows> sequences;    // in row order, covering every row once
  std::vector<std::int32_t> block_table;  // KV block ids; each sequence's run covers its last position
  std::vector<std::int32_t> logit_rows;   // rows whose logits are wanted, ascending
};

struct TokenCount {
  std::int32_t token_id = 0;
  std::int32_t count = 0;
};

// How to draw one token. Order: repetition penalty, temperature, top-k, top-p, min-p, draw; the steps are
// defined in kernels/reference/sample.h.
struct SampleRow {
  int logits_row = 0;        // index into StepPlan::logit_rows
  float temperature = 0.0f;  // 0: greedy, the lowest id among equals
  int top_k = 0;             // 0: off
  float top_p = 1.0f;        // 1: off
  float min_p = 0.0f;        // 0: off
  float repeat_penalty = 1.0f;
  std::span<const TokenCount>
      seen;  // unique ids of prompt and answer, for the penalty; borrowed for the call
  // Tokens that may be drawn: empty for all, else [ceil(vocab / 64)] words, bit id % 64 of word id / 64;
  // borrowed.
  std::span<const std::uint64_t> allowed = {};
  std::uint64_t seed = 0;  // Philox4x32-10 keyed by (seed, draw): independent of batch and row
  std::uint64_t draw = 0;  // index of the token in its answer
  int num_logprobs = -1;   // -1: none; 0: the chosen token only; k: also the k best
};

// What to draw from the logits of the current step; a logits row may be drawn from more than once.
using SamplePlan = std::vector<SampleRow>;

struct TokenLogprob {
  std::int32_t token_id = 0;
  float logprob = 0.0f;  // natural logarithm, of the raw distribution (before penalty and temperature)
};

struct SampledToken {
  std::int32_t token_id = -1;
  bool finite = true;    // false: a logit was NaN or +infinite, or those allowed -infinite; token_id is -1
  float logprob = 0.0f;  // when num_logprobs >= 0
  std::vector<TokenLogprob> top;  // best first, when num_logprobs > 0
};

}  // namespace parley::inference::backend
