#pragma once
// The tokens that may still be drawn, selected without sorting the vocabulary. Working memory of one thread;
// throws std::bad_alloc only. Order of tokens: higher logit first, lower id first among equals.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cpu/float_kernels.h"

namespace parley::kernels::cpu {

struct TokenCandidate {
  std::int32_t token_id = 0;
  float logit = 0.0f;
  float weight = 0.0f;
};

class TokenCandidates {
 public:
  explicit TokenCandidates(const FloatKernels& kernels) : kernels_(kernels) {}

  // Start afresh: the k first tokens in no order (fewer if other logits are -infinity), weights unset ...
  void take_highest(std::span<const float> logits, int k);
  // ... or all tokens whose weight is above the threshold, by id; returns the sum of their weights.
  double take_heavier(std::span<const float> logits, std::span<const float> weights, float threshold);

  // weight = exp((logit - highest) / temperature); returns their sum.
  double weigh(float highest, float temperature);
  // Keeps the shortest run of first tokens that weighs at least `weight`, or all; one at least.
  void keep_run(double weight);
  // Keeps the tokens whose weight is at least `weight`; the first token must be among them.
  void keep_weight(float weight);
  void sort_by_id();
  void sort_by_logit();

  std::span<const TokenCandidate> tokens() const { return tokens_; }

 private:
  void keep_first(std::size_t k);

  const FloatKernels& kernels_;
  std::vector<TokenCandidate> tokens_;
  std::vector<float> logits_;
  std::vector<double> sums_;
};

}  // namespace parley::kernels::cpu
