#pragma once
// Sequences of random tokens pushed through a SyntheticModel in any grouping; keeps the logits of every
// position. KV blocks are dealt out in random order. One thread.

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "tests/inference/backend/synthetic_model.h"

namespace parley::inference::backend {

class SyntheticRun {
 public:
  using Logits = std::vector<std::vector<float>>;  // [position][vocab]

  struct Chunk {
    std::size_t sequence = 0;
    int num_rows = 0;
  };

  // Sequence i has the tokens of `tokens[i]`.
  SyntheticRun(SyntheticModel& model, const std::vector<std::vector<std::int32_t>>& tokens, int num_blocks,
               unsigned seed)
      : model_(model) {
    std::vector<std::int32_t> blocks(static_cast<std::size_t>(num_blocks));
    std::iota(blocks.begin(), blocks.end(), 0);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937(seed));
    for (const std::vector<std::int32_t>& ids : tokens) {
      Sequence& sequence = sequences_.emplace_back();
      sequence.tokens = ids;
      for (std::size_t i = 0; i < ids.size(); i += kBlockTokens) {
        sequence.blocks.push_back(blocks.back());
        blocks.pop_back();
      }
    }
  }

  // One step with the next rows of these sequences.
  void step(const std::vector<Chunk>& chunks) {
    StepPlan plan;
    for (const Chunk& chunk : chunks) {
      const Sequence& sequence = sequences_[chunk.sequence];
      const int position = static_cast<int>(sequence.logits.size());
      plan.sequences.push_back({static_cast<std::int32_t>(plan.token_ids.size()), chunk.num_rows, position,
                                static_cast<std::int32_t>(plan.block_table.size())});
      plan.block_table.insert(plan.block_table.end(), sequence.blocks.begin(), sequence.blocks.end());
      for (int i = 0; i < chunk.num_rows; ++i) {
        plan.logit_rows.push_back(static_cast<std::int32_t>(plan.token_ids.size()));
        plan.token_ids.push_back(sequence.tokens[static_cast<std::size_t>(position + i)]);
      }
    }
    const Logits all = model_.forward(plan);
    auto next = all.begin();
    for (const Chunk& chunk : chunks) {
      Logits& logits = sequences_[chunk.sequence].logits;
      logits.insert(logits.end(), next, next + chunk.num_rows);
      next += chunk.num_rows;
    }
  }

  // All of a sequence that is left, `chunk` rows at a time.
  void finish(std::size_t sequence, int chunk) {
    while (left(sequence) > 0) step({{sequence, std::min(chunk, left(sequence))}});
  }
  int left(std::size_t sequence) const {
    const Sequence& s = sequences_[sequence];
    return static_cast<int>(s.tokens.size() - s.logits.size());
  }
  const Logits& logits(std::size_t sequence) const { return sequences_[sequence].logits; }

 private:
  struct Sequence {
    std::vector<std::int32_t> tokens, blocks;
    Logits logits;
  };
  SyntheticModel& model_;
  std::vector<Sequence> sequences_;
};

inline std::vector<std::int32_t> random_tokens(std::size_t count, int vocab_size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int32_t> ids(count);
  for (std::int32_t& id : ids) id = static_cast<std::int32_t>(random() % static_cast<unsigned>(vocab_size));
  return ids;
}

}  // namespace parley::inference::backend
