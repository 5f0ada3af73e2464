#include "kernels/reference/sample.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace parley::kernels::reference {
namespace {

struct Candidate {
  std::int32_t token_id;
  float logit;
  double weight;
};

bool before(const Candidate& a, const Candidate& b) {
  return a.logit != b.logit ? a.logit > b.logit : a.token_id < b.token_id;
}

std::vector<Candidate> sorted(std::span<const float> logits) {
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < logits.size(); ++i)
    all.push_back({static_cast<std::int32_t>(i), logits[i], 0.0});
  std::sort(all.begin(), all.end(), before);
  return all;
}

bool is_finite(std::span<const float> logits) {
  bool any = false;
  for (const float logit : logits) {
    if (std::isnan(logit) || logit == std::numeric_limits<float>::infinity()) return false;
    any |= std::isfinite(logit);
  }
  return any;
}

bool is_allowed(std::span<const std::uint64_t> allowed, std::size_t token_id) {
  return allowed.empty() || (allowed[token_id / 64] >> (token_id % 64) & 1) != 0;
}

std::vector<float> masked(std::span<const float> logits, std::span<const std::uint64_t> allowed) {
  std::vector<float> result(logits.begin(), logits.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!is_allowed(allowed, i)) result[i] = -std::numeric_limits<float>::infinity();
  }
  return result;
}

std::vector<float> penalised(std::span<const float> logits, const SampleSettings& settings) {
  std::vector<float> result(logits.begin(), logits.end());
  for (const SeenToken& token : settings.seen) {
    float& logit = result[static_cast<std::size_t>(token.token_id)];
    logit = logit > 0.0f ? logit / settings.repeat_penalty : logit * settings.repeat_penalty;
    logit = std::min(logit, std::numeric_limits<float>::max());
  }
  return result;
}

void filter(std::vector<Candidate>& candidates, const SampleSettings& settings) {
  if (settings.top_k > 0 && candidates.size() > static_cast<std::size_t>(settings.top_k)) {
    candidates.resize(static_cast<std::size_t>(settings.top_k));
  }
  if (settings.top_p < 1.0f) {
    double total = 0.0;
    for (const Candidate& candidate : candidates) total += candidate.weight;
    double running = 0.0;
    std::size_t kept = 0;
    while (kept == 0 || (kept < candidates.size() && running < settings.top_p * total)) {
      running += candidates[kept++].weight;
    }
    candidates.resize(kept);
  }
  const auto unlikely = [&](const Candidate& candidate) { return candidate.weight < settings.min_p; };
  const auto end = std::remove_if(candidates.begin() + 1, candidates.end(), unlikely);
  candidates.erase(end, candidates.end());
}

std::int32_t draw(std::vector<Candidate> candidates, double uniform) {
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.token_id < b.token_id; });
  double total = 0.0;
  for (const Candidate& candidate : candidates) total += candidate.weight;
  double running = 0.0;
  std::int32_t last = -1;
  for (const Candidate& candidate : candidates) {
    running += candidate.weight;
    if (candidate.weight > 0.0) last = candidate.token_id;
    if (running > uniform * total) break;
  }
  return last;
}

void add_logprobs(Sample& result, std::span<const float> logits, int num_logprobs) {
  const std::vector<Candidate> order = sorted(logits);
  double total = 0.0;
  for (const Candidate& candidate : order)
    total += std::exp(static_cast<double>(candidate.logit) - order[0].logit);
  const auto logprob = [&](float logit) {
    return static_cast<float>(static_cast<double>(logit) - order[0].logit - std::log(total));
  };
  result.logprob = logprob(logits[static_cast<std::size_t>(result.token_id)]);
  for (const Candidate& candidate : order) {
    const bool wanted = static_cast<int>(result.top.size()) < num_logprobs && std::isfinite(candidate.logit);
    if (wanted) result.top.push_back({candidate.token_id, logprob(candidate.logit)});
  }
}

}  // namespace

Sample sample(std::span<const float> logits, const SampleSettings& settings) {
  assert(!logits.empty());
  Sample result;
  const std::vector<float> drawable = masked(logits, settings.allowed);
  result.finite = is_finite(logits) && is_finite(drawable);
  if (!result.finite) return result;
  const std::vector<float> adjusted = penalised(drawable, settings);
  std::vector<Candidate> candidates = sorted(adjusted);
  if (settings.temperature <= 0.0f) {
    result.token_id = candidates[0].token_id;
  } else {
    const double best = candidates[0].logit;
    for (Candidate& candidate : candidates)
      candidate.weight = std::exp((candidate.logit - best) / settings.temperature);
    filter(candidates, settings);
    result.token_id = draw(std::move(candidates), philox_uniform(settings.seed, settings.draw));
  }
  if (settings.num_logprobs >= 0) add_logprobs(result, logits, settings.num_logprobs);
  return result;
}

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
        static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

double philox_uniform(std::uint64_t seed, std::uint64_t draw) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const auto words = philox4x32({low(draw), high(draw), 0, 0}, {low(seed), high(seed)});
  return static_cast<double>(((std::uint64_t{words[0]} << 32) | words[1]) >> 11) * 0x1p-53;
}

}  // namespace parley::kernels::reference
