#include "kernels/cpu/sample.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/cpu/token_candidates.h"

namespace parley::kernels::cpu {
namespace {

using reference::Sample;
using reference::SampleSettings;
using reference::SeenToken;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Applies the repetition penalty as long as it lives.
class Penalised {
 public:
  Penalised(std::span<float> logits, const SampleSettings& settings) : logits_(logits), seen_(settings.seen) {
    if (settings.repeat_penalty == 1.0f) seen_ = {};
    originals_.reserve(seen_.size());
    for (const SeenToken& token : seen_) {
      float& logit = logits_[static_cast<std::size_t>(token.token_id)];
      originals_.push_back(logit);
      logit = logit > 0.0f ? logit / settings.repeat_penalty : logit * settings.repeat_penalty;
      logit = std::min(logit, std::numeric_limits<float>::max());
    }
  }
  ~Penalised() {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      logits_[static_cast<std::size_t>(seen_[i].token_id)] = originals_[i];
    }
  }
  Penalised(const Penalised&) = delete;
  Penalised& operator=(const Penalised&) = delete;

 private:
  std::span<float> logits_;
  std::span<const SeenToken> seen_;
  std::vector<float> originals_;
};

// Infinities below are allowed, for tokens that cannot be drawn, unless there is nothing else.
bool can_be_drawn_from(std::span<const float> logits) {
  const auto broken = [](float logit) { return std::isnan(logit) || logit == kInfinity; };
  return std::none_of(logits.begin(), logits.end(), broken) &&
         std::any_of(logits.begin(), logits.end(), [](float logit) { return std::isfinite(logit); });
}

}  // namespace

class Sampler::Work {
 public:
  explicit Work(Isa isa) : kernels_(float_kernels(isa)), candidates_(kernels_) {}

  Sample sample(std::span<float> logits, const SampleSettings& settings) {
    assert(!logits.empty());
    Sample result;
    const LogitScan raw = scan(logits);
    result.finite = raw.regular || can_be_drawn_from(logits);
    if (!result.finite) return result;
    const std::span<float> drawable = settings.allowed.empty() ? logits : masked(logits, settings.allowed);
    result.finite = settings.allowed.empty() || can_be_drawn_from(drawable);
    if (!result.finite) return result;
    {
      const Penalised penalised(drawable, settings);
      const float highest = scan(drawable).highest;
      result.token_id =
          settings.temperature > 0.0f ? draw(drawable, highest, settings) : lowest_id_of(drawable, highest);
    }
    if (settings.num_logprobs >= 0) add_logprobs(result, logits, raw.highest, settings.num_logprobs);
    return result;
  }

 private:
  // A copy in which only the allowed tokens can be drawn: few are, so they are put into a blank row word by
  // word.
  std::span<float> masked(std::span<const float> logits, std::span<const std::uint64_t> allowed) {
    masked_.assign(logits.size(), -kInfinity);
    for (std::size_t word = 0; word * 64 < logits.size(); ++word) {
      for (std::uint64_t bits = allowed[word]; bits != 0; bits &= bits - 1) {
        const std::size_t id = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        if (id < logits.size()) masked_[id] = logits[id];
      }
    }
    return masked_;
  }

  LogitScan scan(std::span<const float> logits) const {
    return kernels_.scan_logits(logits.data(), static_cast<int>(logits.size()));
  }

  std::int32_t lowest_id_of(std::span<const float> logits, float value) const {
    std::int32_t ids[16];
    kernels_.find_above({.values = logits.data(),
                         .end = static_cast<int>(logits.size()),
                         .threshold = std::nextafter(value, -kInfinity),
                         .ids = ids,
                         .capacity = 16});
    return ids[0];
  }

  std::int32_t draw(std::span<const float> logits, float highest, const SampleSettings& settings) {
    const double uniform = reference::philox_uniform(settings.seed, settings.draw);
    double total = 0.0;
    if (settings.top_k > 0 && static_cast<std::size_t>(settings.top_k) < logits.size()) {
      candidates_.take_highest(logits, settings.top_k);
      total = candidates_.weigh(highest, settings.temperature);
    } else {
      total = weigh_all(logits, highest, settings.temperature);
      if (settings.top_p >= 1.0f && settings.min_p <= 0.0f) return draw_from_all(uniform * total);
      take_candidates(logits, total, settings);
    }
    if (settings.top_p < 1.0f) candidates_.keep_run(settings.top_p * total);
    if (settings.min_p > 0.0f) candidates_.keep_weight(std::min(settings.min_p, 1.0f));
    return draw_from_candidates(uniform);
  }

  // All tokens that top-p and min-p may keep, and few others.
  void take_candidates(std::span<const float> logits, double total, const SampleSettings& settings) {
    if (settings.top_p >= 1.0f) {
      candidates_.take_heavier(logits, weights_, std::nextafter(std::min(settings.min_p, 1.0f), 0.0f));
      return;
    }
    // Tokens below (1 - top_p) / vocabulary of the whole are together too light to belong to the run of
    // top-p. It mostly ends far above that: a pass over the weights is cheaper than thousands of candidates.
    constexpr double kRoundingMargin = 1.0 - 1e-6;
    const double share = (1.0 - std::max(settings.top_p, 0.0f)) / static_cast<double>(weights_.size());
    const float lightest = static_cast<float>(share * total * kRoundingMargin);
    float threshold = 0.125f;
    while (threshold > lightest &&
           candidates_.take_heavier(logits, weights_, threshold) < settings.top_p * total) {
      threshold *= 0.125f;
    }
    if (threshold <= lightest) candidates_.take_heavier(logits, weights_, lightest);
  }

  double weigh_all(std::span<const float> logits, float highest, float temperature) {
    weights_.resize(logits.size());
    block_sums_.resize((logits.size() + kWeightBlock - 1) / kWeightBlock);
    kernels_.exp_weights({.weights = weights_.data(),
                          .block_sums = block_sums_.data(),
                          .logits = logits.data(),
                          .count = static_cast<int>(logits.size()),
                          .highest = highest,
                          .temperature = temperature});
    double total = 0.0;
    for (const double sum : block_sums_) total += sum;
    return total;
  }

  std::int32_t draw_from_all(double target) const {
    double running = 0.0;
    std::size_t block = 0;
    while (block + 1 < block_sums_.size() && running + block_sums_[block] <= target)
      running += block_sums_[block++];
    std::size_t i = block * kWeightBlock;
    for (; i + 1 < weights_.size(); ++i) {
      running += weights_[i];
      if (running > target && weights_[i] > 0.0f) break;
    }
    while (weights_[i] <= 0.0f) --i;  // rounding ran past the last token that has weight
    return static_cast<std::int32_t>(i);
  }

  std::int32_t draw_from_candidates(double uniform) {
    candidates_.sort_by_id();
    double total = 0.0;
    for (const TokenCandidate& token : candidates_.tokens()) total += token.weight;
    double running = 0.0;
    std::int32_t last = -1;
    for (const TokenCandidate& token : candidates_.tokens()) {
      running += token.weight;
      if (token.weight > 0.0f) last = token.token_id;
      if (running > uniform * total) break;
    }
    return last;
  }

  void add_logprobs(Sample& result, std::span<const float> logits, float highest, int num_logprobs) {
    const double log_total = std::log(weigh_all(logits, highest, 1.0f));
    const auto logprob = [&](float logit) {
      return static_cast<float>(static_cast<double>(logit) - highest - log_total);
    };
    result.logprob = logprob(logits[static_cast<std::size_t>(result.token_id)]);
    if (num_logprobs == 0) return;
    candidates_.take_highest(logits, std::min(num_logprobs, static_cast<int>(logits.size())));
    candidates_.sort_by_logit();
    for (const TokenCandidate& token : candidates_.tokens()) {
      result.top.push_back({token.token_id, logprob(token.logit)});
    }
  }

  const FloatKernels& kernels_;
  TokenCandidates candidates_;
  std::vector<float> masked_;       // [vocab]
  std::vector<float> weights_;      // [vocab]
  std::vector<double> block_sums_;  // [vocab / kWeightBlock, rounded up]
};

Sampler::Sampler(Isa isa) : work_(std::make_unique<Work>(isa)) {}
Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

reference::Sample Sampler::sample(std::span<float> logits, const reference::SampleSettings& settings) {
  return work_->sample(logits, settings);
}

}  // namespace parley::kernels::cpu
