#include "inference/engine/step_builder.h"

namespace parley::inference::engine {

void StepBuilder::build(std::span<const Chunk> chunks) {
  plan_.token_ids.clear();
  plan_.sequences.clear();
  plan_.block_table.clear();
  plan_.logit_rows.clear();
  sampling_.clear();
  for (const Chunk& chunk : chunks) {
    add_rows(chunk);
    if (chunk.draws_token()) add_sampling(*chunk.sequence);
  }
}

void StepBuilder::add_rows(const Chunk& chunk) {
  const Sequence& sequence = *chunk.sequence;
  const int first = sequence.num_computed;
  const int end = first + chunk.num_tokens;
  plan_.sequences.push_back({static_cast<std::int32_t>(plan_.token_ids.size()), chunk.num_tokens, first,
                             static_cast<std::int32_t>(plan_.block_table.size())});
  plan_.token_ids.insert(plan_.token_ids.end(), sequence.tokens.begin() + first,
                         sequence.tokens.begin() + end);
  const int num_blocks = (end + backend::kBlockTokens - 1) / backend::kBlockTokens;
  plan_.block_table.insert(plan_.block_table.end(), sequence.blocks.begin(),
                           sequence.blocks.begin() + num_blocks);
}

// The draw index counts the answer's tokens, so that a resumed request goes on in its own random sequence.
void StepBuilder::add_sampling(const Sequence& sequence) {
  plan_.logit_rows.push_back(static_cast<std::int32_t>(plan_.token_ids.size()) - 1);
  const SamplingParameters& wanted = sequence.request.sampling;
  backend::SampleRow row;
  row.logits_row = static_cast<int>(sampling_.size());
  row.temperature = wanted.temperature;
  row.top_k = wanted.top_k;
  row.top_p = wanted.top_p;
  row.min_p = wanted.min_p;
  row.repeat_penalty = wanted.repeat_penalty;
  row.seen = sequence.counts.view();
  row.seed = wanted.seed;
  row.draw = static_cast<std::uint64_t>(sequence.num_generated());
  row.num_logprobs = sequence.request.num_logprobs;
  sampling_.push_back(row);
}

}  // namespace parley::inference::engine
