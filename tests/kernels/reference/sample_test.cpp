// The definition of sampling, step by step.

#include "kernels/reference/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace parley::kernels::reference {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// How often each token comes out of 4,000 draws.
std::map<std::int32_t, int> histogram(const std::vector<float>& logits, SampleSettings settings) {
  std::map<std::int32_t, int> counts;
  for (settings.draw = 0; settings.draw < 4000; ++settings.draw) ++counts[sample(logits, settings).token_id];
  return counts;
}

std::vector<std::int32_t> drawn(const std::vector<float>& logits, const SampleSettings& settings) {
  std::vector<std::int32_t> ids;
  for (const auto& [id, count] : histogram(logits, settings)) ids.push_back(id);
  return ids;
}

using Ids = std::vector<std::int32_t>;

// Known answers of the authors' test vectors (Random123, philox4x32-10).
TEST(Philox, GivesTheKnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, UniformIsTheHighBitsOfTheBlockAsAFraction) {
  EXPECT_EQ(philox_uniform(0, 0), static_cast<double>(0x6627e8d5e169c58dull >> 11) / std::pow(2.0, 53));
  const std::uint64_t seed = 0x0123456789abcdefull, draw = 0xfedcba9876543210ull;
  const auto words = philox4x32({0x76543210, 0xfedcba98, 0, 0}, {0x89abcdef, 0x01234567});
  EXPECT_EQ(philox_uniform(seed, draw),
            static_cast<double>(((std::uint64_t{words[0]} << 32) | words[1]) >> 11) * 0x1p-53);
}

TEST(Sample, GreedyTakesTheLowestIdAmongTheHighest) {
  EXPECT_EQ(sample(std::vector<float>{1, 5, 5, 2}, {}).token_id, 1);
  EXPECT_EQ(sample(std::vector<float>{-7}, {}).token_id, 0);
}

TEST(Sample, PenaltyDividesPositiveAndMultipliesNegativeLogits) {
  const std::vector<SeenToken> seen = {{0, 3}, {2, 1}};
  const SampleSettings settings{.repeat_penalty = 2.0f, .seen = seen};
  EXPECT_EQ(sample(std::vector<float>{4.0f, 2.5f, -1.0f}, settings).token_id, 1);
  EXPECT_EQ(sample(std::vector<float>{-1.0f, -1.5f, -1.0f}, settings).token_id, 1);
  EXPECT_EQ(sample(std::vector<float>{4.0f, 1.5f, -1.0f}, settings).token_id, 0);
}

TEST(Sample, AnEnormousPenaltyCannotMakeALogitInfinite) {
  const std::vector<SeenToken> seen = {{0, 1}};
  const Sample drawn =
      sample(std::vector<float>{1.0f, 2.0f}, {.temperature = 1.0f, .repeat_penalty = 1e-45f, .seen = seen});
  EXPECT_EQ(drawn.token_id, 0);
}

TEST(Sample, DrawsOnlyWhatTheMaskAllowsAndTruncatesAfterIt) {
  const std::vector<float> logits = {1, 9, 3, 2, 8};
  const std::vector<std::uint64_t> mask = {0b01101};
  EXPECT_EQ(sample(logits, {.allowed = mask}).token_id, 2);
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 2, .allowed = mask}), (Ids{2, 3}));
  const Sample scored = sample(logits, {.allowed = mask, .num_logprobs = 1});
  EXPECT_EQ(scored.top[0].token_id, 1) << "log-probabilities do not know of the mask";
}

TEST(Sample, FailsWhenNothingThatIsAllowedCanBeDrawn) {
  const std::vector<std::uint64_t> mask = {0b10};
  EXPECT_FALSE(sample(std::vector<float>{1, -kInfinity}, {.allowed = mask}).finite);
  EXPECT_FALSE(sample(std::vector<float>{1, 2}, {.allowed = std::vector<std::uint64_t>{0}}).finite);
}

TEST(Sample, TemperatureShapesTheDistribution) {
  const std::vector<float> logits = {0.0f, std::log(3.0f)};
  EXPECT_NEAR(histogram(logits, {.temperature = 1.0f})[1], 3000, 120);
  EXPECT_NEAR(histogram(logits, {.temperature = 0.5f})[1], 3600, 90);
  EXPECT_EQ(histogram(logits, {.temperature = 1e-6f})[1], 4000);
}

TEST(Sample, TopKKeepsTheLowestIdsAmongEquals) {
  const std::vector<float> logits = {1, 2, 1, 1, 2};
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 1}), (Ids{1}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 3}), (Ids{0, 1, 4}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 5}), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 99}), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 0}), (Ids{0, 1, 2, 3, 4}));
}

TEST(Sample, TopPKeepsTheShortestRunThatReachesIt) {
  const std::vector<float> logits = {std::log(1.0f), std::log(5.0f), std::log(4.0f)};  // 0.1, 0.5, 0.4
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_p = 0.0f}), (Ids{1}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_p = 0.49f}), (Ids{1}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_p = 0.51f}), (Ids{1, 2}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_p = 0.91f}), (Ids{0, 1, 2}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_p = 1.0f}), (Ids{0, 1, 2}));
}

TEST(Sample, TopPCountsShareOfWhatTopKLeft) {
  const std::vector<float> logits = {std::log(1.0f), std::log(5.0f), std::log(4.0f)};
  // Of the two best 5/9 and 4/9: a share of 0.52 needs one, of all three it would need two.
  EXPECT_EQ(drawn(logits, {.temperature = 1, .top_k = 2, .top_p = 0.52f}), (Ids{1}));
}

TEST(Sample, MinPIsRelativeToTheBest) {
  const std::vector<float> logits = {std::log(1.0f), std::log(5.0f), std::log(4.0f)};
  EXPECT_EQ(drawn(logits, {.temperature = 1, .min_p = 0.19f}), (Ids{0, 1, 2}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .min_p = 0.21f}), (Ids{1, 2}));
  EXPECT_EQ(drawn(logits, {.temperature = 1, .min_p = 1.0f}), (Ids{1}));
}

TEST(Sample, MinusInfinityIsNeverDrawnAndOnlyThatIsAnError) {
  const std::vector<float> one = {-kInfinity, -kInfinity, 3.0f, -kInfinity};
  EXPECT_EQ(drawn(one, {.temperature = 5.0f}), (Ids{2}));
  EXPECT_EQ(sample(one, {}).token_id, 2);
  for (const float bad : {kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    const Sample broken = sample(std::vector<float>{1.0f, bad}, {});
    EXPECT_FALSE(broken.finite);
    EXPECT_EQ(broken.token_id, -1);
  }
  EXPECT_FALSE(sample(std::vector<float>(3, -kInfinity), {}).finite);
}

TEST(Sample, LogprobsAreOfTheGivenLogitsWithoutPenaltyAndTemperature) {
  const std::vector<float> logits = {std::log(1.0f), std::log(5.0f), std::log(4.0f), -kInfinity};
  const std::vector<SeenToken> seen = {{1, 1}};
  const Sample drawn = sample(logits, {.repeat_penalty = 100.0f, .seen = seen, .num_logprobs = 5});
  EXPECT_EQ(drawn.token_id, 2);
  EXPECT_NEAR(drawn.logprob, std::log(0.4), 1e-6);
  ASSERT_EQ(drawn.top.size(), 3u);
  EXPECT_EQ(drawn.top[0].token_id, 1);
  EXPECT_NEAR(drawn.top[0].logprob, std::log(0.5), 1e-6);
  EXPECT_EQ(drawn.top[2].token_id, 0);
  EXPECT_TRUE(sample(logits, {.num_logprobs = 0}).top.empty());
}

TEST(Sample, SeedAndDrawDecideAlone) {
  std::vector<float> logits(50);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i % 7);
  const auto token = [&](std::uint64_t seed, std::uint64_t draw) {
    return sample(logits, {.temperature = 2.0f, .seed = seed, .draw = draw}).token_id;
  };
  int differ = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(token(7, i), token(7, i));
    differ += token(7, i) != token(8, i);
  }
  EXPECT_GT(differ, 50);
}

}  // namespace
}  // namespace parley::kernels::reference
