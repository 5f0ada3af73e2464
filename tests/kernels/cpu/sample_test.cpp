// The sampler against its definition by a full sort.

#include "kernels/cpu/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

using reference::Sample;
using reference::SampleSettings;
using reference::SeenToken;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> random_logits(std::size_t count, float scale, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0f, scale);
  std::vector<float> logits(count);
  for (float& logit : logits) logit = normal(random);
  return logits;
}

std::string describe(const SampleSettings& s) {
  return "temperature " + std::to_string(s.temperature) + " top_k " + std::to_string(s.top_k) + " top_p " +
         std::to_string(s.top_p) + " min_p " + std::to_string(s.min_p) + " draw " + std::to_string(s.draw);
}

void expect_same(const Sample& fast, const Sample& slow, const std::string& what) {
  ASSERT_EQ(fast.finite, slow.finite) << what;
  ASSERT_EQ(fast.token_id, slow.token_id) << what;
  ASSERT_NEAR(fast.logprob, slow.logprob, 1e-5) << what;
  ASSERT_EQ(fast.top.size(), slow.top.size()) << what;
  for (std::size_t i = 0; i < fast.top.size(); ++i) {
    ASSERT_EQ(fast.top[i].token_id, slow.top[i].token_id) << what << " top " << i;
    ASSERT_NEAR(fast.top[i].logprob, slow.top[i].logprob, 1e-5) << what;
  }
}

// Every combination of filters, a few draws each, on every instruction set.
void compare_all(const std::vector<float>& logits, const std::vector<SeenToken>& seen) {
  const int vocab = static_cast<int>(logits.size());
  for (const float temperature : {0.0f, 1e-6f, 0.7f, 1.0f, 3.0f}) {
    for (const int top_k : {0, 1, 2, 40, vocab - 1, vocab, vocab + 1}) {
      for (const float top_p : {1.0f, 0.0f, 1e-6f, 0.5f, 0.95f, 0.9999999f}) {
        for (const float min_p : {0.0f, 1e-4f, 0.1f, 1.0f}) {
          for (std::uint64_t draw = 0; draw < 3; ++draw) {
            const SampleSettings settings{.temperature = temperature,
                                          .top_k = top_k,
                                          .top_p = top_p,
                                          .min_p = min_p,
                                          .repeat_penalty = seen.empty() ? 1.0f : 1.3f,
                                          .seen = seen,
                                          .seed = 42,
                                          .draw = draw,
                                          .num_logprobs = static_cast<int>(draw) * 5 - 1};
            const Sample slow = reference::sample(logits, settings);
            for (const Isa isa : all_isas()) {
              std::vector<float> copy = logits;
              expect_same(Sampler(isa).sample(copy, settings), slow, describe(settings));
              ASSERT_EQ(std::memcmp(copy.data(), logits.data(), logits.size() * sizeof(float)), 0)
                  << "not restored";
            }
          }
        }
      }
    }
  }
}

TEST(Sampler, DrawsWhatTheDefinitionDraws) {
  for (const std::size_t vocab : {2u, 17u, 97u, 300u}) {
    for (const float scale : {0.1f, 3.0f}) compare_all(random_logits(vocab, scale, 1), {});
  }
}

TEST(Sampler, AppliesTheRepetitionPenalty) {
  std::vector<SeenToken> seen;
  for (std::int32_t id = 0; id < 97; id += 3) seen.push_back({id, id + 1});
  compare_all(random_logits(97, 2.0f, 2), seen);
}

TEST(Sampler, DrawsOnlyWhatTheMaskAllows) {
  const std::vector<float> logits = random_logits(300, 3.0f, 3);
  std::mt19937_64 random(4);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::uint64_t> mask(5);
    for (std::uint64_t& word : mask)
      word = random() & random() & random() & (round % 4 == 0 ? random() : ~0ull);
    mask[0] |= 2;
    const std::vector<SeenToken> seen = {{1, 1}, {77, 2}, {299, 1}};
    for (const float temperature : {0.0f, 0.8f}) {
      for (const int top_k : {0, 1, 7}) {
        const SampleSettings settings{.temperature = temperature,
                                      .top_k = top_k,
                                      .top_p = round % 2 == 0 ? 1.0f : 0.7f,
                                      .repeat_penalty = round % 3 == 0 ? 1.3f : 1.0f,
                                      .seen = seen,
                                      .allowed = mask,
                                      .draw = static_cast<std::uint64_t>(round),
                                      .num_logprobs = 3};
        const Sample slow = reference::sample(logits, settings);
        ASSERT_NE(mask[static_cast<std::size_t>(slow.token_id) / 64] >> (slow.token_id % 64) & 1, 0u);
        for (const Isa isa : all_isas()) {
          std::vector<float> copy = logits;
          expect_same(Sampler(isa).sample(copy, settings), slow, describe(settings));
          ASSERT_EQ(copy, logits) << "not restored";
        }
      }
    }
  }
}

TEST(Sampler, BreaksTiesByTheLowerId) {
  std::vector<float> logits(600);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>((i * 7) % 5);
  compare_all(logits, {});
  compare_all(std::vector<float>(300, 1.5f), {});
  compare_all({-0.0f, 0.0f, -0.0f}, {});
}

TEST(Sampler, NeverDrawsMinusInfinity) {
  std::vector<float> logits(200, -kInfinity);
  logits[123] = -4.0f;
  compare_all(logits, {});
  for (std::size_t i = 0; i < logits.size(); i += 2) logits[i] = static_cast<float>(i % 11);
  compare_all(logits, {});
}

TEST(Sampler, ReportsLogitsThatAreNotFinite) {
  for (const Isa isa : all_isas()) {
    for (const float bad : {kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
      for (const float temperature : {0.0f, 1.0f}) {
        std::vector<float> logits(100, 1.0f);
        logits[77] = bad;
        const Sample sample = Sampler(isa).sample(logits, {.temperature = temperature, .num_logprobs = 3});
        EXPECT_FALSE(sample.finite);
        EXPECT_EQ(sample.token_id, -1);
      }
    }
    std::vector<float> nothing(100, -kInfinity);
    EXPECT_FALSE(Sampler(isa).sample(nothing, {}).finite);
  }
}

TEST(Sampler, AgreesOverAWholeVocabularyForManyDraws) {
  const std::vector<float> logits = random_logits(151936, 2.5f, 3);
  const std::vector<SampleSettings> usual = {
      {.temperature = 0.7f, .top_k = 40, .top_p = 0.95f, .min_p = 0.05f},
      {.temperature = 1.0f, .top_p = 0.9f},
      {.temperature = 1.0f},
      {.temperature = 1.5f, .min_p = 0.02f},
      {.temperature = 0.8f, .top_k = 1000}};
  Sampler sampler(best_isa());
  for (SampleSettings settings : usual) {
    for (settings.draw = 0; settings.draw < 4; ++settings.draw) {
      std::vector<float> copy = logits;
      settings.num_logprobs = 20;
      expect_same(sampler.sample(copy, settings), reference::sample(logits, settings), describe(settings));
    }
  }
}

// Chi-square over 20,000 draws: the drawn shares are those of the filtered distribution.
TEST(Sampler, DrawsInProportionToTheWeights) {
  std::vector<float> logits = {0.0f, 1.0f, 2.0f, 0.5f, -1.0f, 1.5f};
  std::vector<double> expected(logits.size());
  double total = 0.0;
  for (std::size_t i = 0; i < logits.size(); ++i) total += expected[i] = std::exp(logits[i]);
  std::vector<int> counts(logits.size());
  Sampler sampler(best_isa());
  constexpr int kDraws = 20000;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    ++counts[static_cast<std::size_t>(
        sampler.sample(logits, {.temperature = 1.0f, .seed = 9, .draw = draw}).token_id)];
  }
  double chi_square = 0.0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double share = expected[i] / total * kDraws;
    chi_square += (counts[i] - share) * (counts[i] - share) / share;
  }
  EXPECT_LT(chi_square, 35.0);  // 5 degrees of freedom: exceeded by chance once in 600,000
}

}  // namespace
}  // namespace parley::kernels::cpu
