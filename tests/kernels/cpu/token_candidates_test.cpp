#include "kernels/cpu/token_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

std::vector<std::int32_t> ids_of(const TokenCandidates& candidates) {
  std::vector<std::int32_t> ids;
  for (const TokenCandidate& token : candidates.tokens()) ids.push_back(token.token_id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::int32_t> highest_by_sort(const std::vector<float>& logits, std::size_t k) {
  std::vector<std::int32_t> ids(logits.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i);
  std::stable_sort(ids.begin(), ids.end(), [&](std::int32_t a, std::int32_t b) {
    return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
  });
  ids.resize(std::min(k, ids.size()));
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(TokenCandidates, HighestAreThoseOfASortWithRunningThreshold) {
  std::mt19937 random(1);
  for (const int distinct : {3, 50, 100000}) {
    std::vector<float> logits(5000);
    for (float& logit : logits) logit = static_cast<float>(random() % static_cast<unsigned>(distinct));
    std::sort(logits.begin(), logits.begin() + 2500);  // ever higher ones move the threshold again and again
    for (const Isa isa : all_isas()) {
      TokenCandidates candidates(float_kernels(isa));
      for (const int k : {1, 7, 40, 1000, 4999, 6000}) {
        candidates.take_highest(logits, k);
        ASSERT_EQ(ids_of(candidates), highest_by_sort(logits, static_cast<std::size_t>(k))) << "k " << k;
      }
    }
  }
}

TEST(TokenCandidates, RunIsTheShortestThatReachesTheWeight) {
  std::mt19937 random(2);
  std::vector<float> weights(3000);
  for (float& weight : weights) weight = static_cast<float>(random() % 16);  // sums are exact
  std::vector<float> sorted = weights;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  TokenCandidates candidates(float_kernels(best_isa()));
  for (const double wanted : {0.0, 1.0, 15.0, 16.0, 1000.0, 20000.0, 1e9}) {
    std::size_t kept = 0;
    for (double sum = 0.0; kept < sorted.size() && (kept == 0 || sum < wanted);) sum += sorted[kept++];
    candidates.take_heavier(weights, weights, -1.0f);
    candidates.keep_run(wanted);
    ASSERT_EQ(ids_of(candidates), highest_by_sort(weights, kept)) << wanted;
  }
}

TEST(TokenCandidates, HeavierAreInOrderOfIdAndAboveTheThreshold) {
  const std::vector<float> logits = {1.0f, 2.0f, 3.0f};
  const std::vector<float> weights = {0.25f, 0.5f, 0.5f};
  TokenCandidates candidates(float_kernels(best_isa()));
  candidates.take_heavier(logits, weights, 0.25f);
  ASSERT_EQ(candidates.tokens().size(), 2u);
  EXPECT_EQ(candidates.tokens()[0].token_id, 1);
  EXPECT_EQ(candidates.tokens()[1].logit, 3.0f);
}

}  // namespace
}  // namespace parley::kernels::cpu
