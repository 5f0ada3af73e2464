#include "kernels/cpu/token_candidates.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace parley::kernels::cpu {
namespace {

constexpr int kScanIds = 256;
constexpr std::ptrdiff_t kSortedRun = 64;  // runs up to this length are sorted, not halved

bool before(const TokenCandidate& a, const TokenCandidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.token_id < b.token_id;
}

// Calls found(id) for each value above *threshold, which found() may raise.
template <typename F>
void for_each_above(const FloatKernels& kernels, std::span<const float> values, const float& threshold,
                    F found) {
  std::int32_t ids[kScanIds];
  IndexScan scan{
      .values = values.data(), .end = static_cast<int>(values.size()), .ids = ids, .capacity = kScanIds};
  while (scan.begin < scan.end) {
    scan.threshold = threshold;
    const IndexScanResult result = kernels.find_above(scan);
    for (int i = 0; i < result.found; ++i) found(ids[i]);
    scan.begin = result.next;
  }
}

}  // namespace

void TokenCandidates::take_highest(std::span<const float> logits, int k) {
  tokens_.clear();
  const std::size_t kept = static_cast<std::size_t>(k);
  const std::size_t limit = 2 * kept + kScanIds;
  float threshold = -std::numeric_limits<float>::infinity();
  for_each_above(kernels_, logits, threshold, [&](std::int32_t id) {
    tokens_.push_back({id, logits[static_cast<std::size_t>(id)], 0.0f});
    if (tokens_.size() < limit) return;
    // Later tokens with the logit of the last one kept come after it, so the threshold need not admit them.
    keep_first(kept);
    threshold = std::max_element(tokens_.begin(), tokens_.end(), before)->logit;
  });
  keep_first(kept);
}

void TokenCandidates::keep_first(std::size_t k) {
  if (tokens_.size() <= k) return;
  std::nth_element(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(k), tokens_.end(), before);
  tokens_.resize(k);
}

double TokenCandidates::take_heavier(std::span<const float> logits, std::span<const float> weights,
                                     float threshold) {
  tokens_.clear();
  double total = 0.0;
  for_each_above(kernels_, weights, threshold, [&](std::int32_t id) {
    const std::size_t i = static_cast<std::size_t>(id);
    tokens_.push_back({id, logits[i], weights[i]});
    total += weights[i];
  });
  return total;
}

double TokenCandidates::weigh(float highest, float temperature) {
  logits_.resize(tokens_.size());
  sums_.resize(tokens_.size() / kWeightBlock + 1);
  for (std::size_t i = 0; i < tokens_.size(); ++i) logits_[i] = tokens_[i].logit;
  kernels_.exp_weights({.weights = logits_.data(),
                        .block_sums = sums_.data(),
                        .logits = logits_.data(),
                        .count = static_cast<int>(tokens_.size()),
                        .highest = highest,
                        .temperature = temperature});
  double total = 0.0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) total += tokens_[i].weight = logits_[i];
  return total;
}

void TokenCandidates::keep_run(double weight) {
  auto first = tokens_.begin();  // what lies before is kept
  auto last = tokens_.end();     // what lies behind is dropped
  double kept = 0.0;
  while (last - first > kSortedRun) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last, before);
    double half = 0.0;
    for (auto token = first; token != middle; ++token) half += token->weight;
    if (kept + half >= weight) {
      last = middle;
    } else {
      kept += half;
      first = middle;
    }
  }
  std::sort(first, last, before);
  while (first != last && (first == tokens_.begin() || kept < weight)) kept += (first++)->weight;
  tokens_.erase(first, tokens_.end());
}

void TokenCandidates::keep_weight(float weight) {
  std::erase_if(tokens_, [&](const TokenCandidate& token) { return token.weight < weight; });
}

void TokenCandidates::sort_by_id() {
  std::sort(tokens_.begin(), tokens_.end(),
            [](const TokenCandidate& a, const TokenCandidate& b) { return a.token_id < b.token_id; });
}

void TokenCandidates::sort_by_logit() { std::sort(tokens_.begin(), tokens_.end(), before); }

}  // namespace parley::kernels::cpu
