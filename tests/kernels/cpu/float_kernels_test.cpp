#include "kernels/cpu/float_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/dtypes/half.h"
#include "kernels/reference/rms_norm.h"
#include "kernels/reference/rope.h"
#include "kernels/reference/swiglu.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Runs f(kernels) on every instruction set and expects the same bits; returns them.
template <typename F>
std::vector<float> on_every_isa(F f) {
  const std::vector<float> expected = f(float_kernels(Isa::portable));
  for (const Isa isa : all_isas()) {
    EXPECT_TRUE(same_bits(f(float_kernels(isa)), expected)) << isa_name(isa);
  }
  return expected;
}

TEST(RmsNorm, IsTheReferenceWithinFourUlpForAllSizes) {
  for (const int dim : {1, 2, 15, 16, 17, 63, 64, 65, 80, 112, 576, 896, 1536}) {
    const std::vector<float> x = random_floats(static_cast<std::size_t>(dim), 1, 3.0f);
    const std::vector<float> weight = random_floats(x.size(), 2);
    const auto run = [&](const FloatKernels& kernels) {
      std::vector<float> out(x.size());
      kernels.rms_norm(out.data(), x.data(), weight.data(), dim, 1e-5f);
      return out;
    };
    const std::vector<float> out = on_every_isa(run);
    std::vector<float> expected(x.size());
    reference::rms_norm(expected, x, weight, 1e-5f);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_NEAR(out[i], expected[i], std::abs(expected[i]) * 5e-7f);
  }
}

TEST(RmsNorm, MayWorkInPlaceAndKeepsZero) {
  std::vector<float> x(40, 0.0f);
  const std::vector<float> weight(40, 2.0f);
  float_kernels(best_isa()).rms_norm(x.data(), x.data(), weight.data(), 40, 1e-6f);
  EXPECT_EQ(x, std::vector<float>(40, 0.0f));
}

TEST(SwiGlu, IsTheReferenceOverTheWholeRange) {
  for (const int count : {1, 16, 31, 200}) {
    std::vector<float> gate = random_floats(static_cast<std::size_t>(count), 3, 20.0f);
    gate[0] = -100.0f;
    const std::vector<float> up = random_floats(gate.size(), 4);
    const auto run = [&](const FloatKernels& kernels) {
      std::vector<float> out(gate.size());
      kernels.swiglu(out.data(), gate.data(), up.data(), count);
      return out;
    };
    const std::vector<float> out = on_every_isa(run);
    std::vector<float> expected(gate.size());
    reference::swiglu(expected, gate, up);
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_NEAR(out[i], expected[i], std::abs(expected[i]) * 1e-6f + 1e-35f) << gate[i];
    }
  }
}

TEST(SwiGlu, ANanStaysANan) {
  std::vector<float> gate(20, 1.0f);
  gate[3] = kNan;
  gate[18] = kNan;
  for (const Isa isa : all_isas()) {
    std::vector<float> out(20);
    float_kernels(isa).swiglu(out.data(), gate.data(), gate.data(), 20);
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(std::isnan(out[i]), i == 3 || i == 18) << isa_name(isa);
  }
}

// Factors of a row as the backend prepares them.
struct Factors {
  std::vector<float> cosines, sines;

  Factors(const std::vector<float>& frequencies, int position, RopePairs pairs) {
    const std::size_t half = frequencies.size();
    cosines.resize(2 * half);
    sines.resize(2 * half);
    for (std::size_t i = 0; i < half; ++i) {
      const double angle = static_cast<float>(position) * frequencies[i];
      const std::size_t first = pairs == RopePairs::adjacent ? 2 * i : i;
      const std::size_t second = pairs == RopePairs::adjacent ? 2 * i + 1 : i + half;
      cosines[first] = cosines[second] = static_cast<float>(std::cos(angle));
      sines[second] = static_cast<float>(std::sin(angle));
      sines[first] = -sines[second];
    }
  }
};

TEST(Rope, IsTheReferenceForBothLayoutsAndPartialRotation) {
  for (const RopePairs pairs : {RopePairs::adjacent, RopePairs::halves}) {
    for (const auto& [head_dim, rope_dim] :
         {std::pair{16, 16}, {32, 32}, {64, 64}, {80, 80}, {96, 24}, {128, 128}, {16, 2}}) {
      std::vector<float> frequencies;
      for (int i = 0; i < rope_dim / 2; ++i)
        frequencies.push_back(
            std::pow(10000.0f, -2.0f * static_cast<float>(i) / static_cast<float>(rope_dim)));
      const Factors factors(frequencies, 4711, pairs);
      const std::vector<float> heads = random_floats(3 * static_cast<std::size_t>(head_dim), 5);
      const auto run = [&](const FloatKernels& kernels) {
        std::vector<float> out = heads;
        kernels.rope({.heads = out.data(),
                      .cosines = factors.cosines.data(),
                      .sines = factors.sines.data(),
                      .num_heads = 3,
                      .head_dim = head_dim,
                      .rope_dim = rope_dim,
                      .pairs = pairs});
        return out;
      };
      const std::vector<float> out = on_every_isa(run);
      std::vector<float> expected = heads;
      for (std::size_t h = 0; h < 3; ++h) {
        reference::rope(
            std::span(expected).subspan(h * static_cast<std::size_t>(head_dim),
                                        static_cast<std::size_t>(head_dim)),
            4711, frequencies,
            pairs == RopePairs::adjacent ? reference::RopePairs::adjacent : reference::RopePairs::halves);
      }
      for (std::size_t i = 0; i < out.size(); ++i)
        EXPECT_NEAR(out[i], expected[i], 5e-7f) << head_dim << " " << i;
    }
  }
}

TEST(StoreKv, PutsATokenIntoItsSlotAndNowhereElse) {
  constexpr int kHeads = 3;
  for (const int head_dim : {16, 48, 64}) {
    const std::size_t count = kHeads * static_cast<std::size_t>(head_dim);
    const std::vector<float> keys = random_floats(count, 6);
    const std::vector<float> values = random_floats(count, 7);
    for (const Isa isa : all_isas()) {
      std::vector<std::uint16_t> block_keys(count * 16, 0xffffu), block_values(count * 16, 0xffffu);
      float_kernels(isa).store_kv({.keys = keys.data(),
                                   .values = values.data(),
                                   .block_keys = block_keys.data(),
                                   .block_values = block_values.data(),
                                   .num_kv_heads = kHeads,
                                   .head_dim = head_dim,
                                   .slot = 5});
      for (std::size_t head = 0; head < kHeads; ++head) {
        for (std::size_t slot = 0; slot < 16; ++slot) {
          for (std::size_t d = 0; d < static_cast<std::size_t>(head_dim); ++d) {
            const std::size_t source = head * static_cast<std::size_t>(head_dim) + d;
            const std::uint16_t key = block_keys[source * 16 + slot];
            const std::uint16_t value =
                block_values[(head * 16 + slot) * static_cast<std::size_t>(head_dim) + d];
            ASSERT_EQ(key, slot == 5 ? dtypes::float_to_half(keys[source]) : 0xffffu);
            ASSERT_EQ(value, slot == 5 ? dtypes::float_to_half(values[source]) : 0xffffu);
          }
        }
      }
    }
  }
}

TEST(StoreKv, KeepsF32Exact) {
  const std::vector<float> keys = random_floats(32, 8);
  const std::vector<float> values = random_floats(32, 9);
  for (const Isa isa : all_isas()) {
    std::vector<float> block_keys(512), block_values(512);
    float_kernels(isa).store_kv({.keys = keys.data(),
                                 .values = values.data(),
                                 .block_keys = block_keys.data(),
                                 .block_values = block_values.data(),
                                 .num_kv_heads = 1,
                                 .head_dim = 32,
                                 .slot = 15,
                                 .element = KvElement::f32});
    for (std::size_t d = 0; d < 32; ++d) {
      EXPECT_EQ(block_keys[d * 16 + 15], keys[d]);
      EXPECT_EQ(block_values[15 * 32 + d], values[d]);
    }
  }
}

TEST(ScanLogits, FindsTheHighestAndWhatIsNotFinite) {
  for (const Isa isa : all_isas()) {
    const FloatKernels& kernels = float_kernels(isa);
    for (const int count : {1, 15, 16, 17, 97, 1000}) {
      std::vector<float> logits = random_floats(static_cast<std::size_t>(count), 10);
      const std::size_t last = logits.size() - 1;
      logits[last] = 50.0f;
      EXPECT_EQ(kernels.scan_logits(logits.data(), count).highest, 50.0f);
      EXPECT_TRUE(kernels.scan_logits(logits.data(), count).regular);
      for (const float bad : {kNan, kInfinite, -kInfinite}) {
        for (const std::size_t place : {std::size_t{0}, last / 2, last}) {
          std::vector<float> broken = logits;
          broken[place] = bad;
          EXPECT_FALSE(kernels.scan_logits(broken.data(), count).regular) << isa_name(isa) << " " << bad;
        }
      }
    }
    const std::vector<float> negative(20, -3.0f);
    EXPECT_EQ(kernels.scan_logits(negative.data(), 20).highest, -3.0f);
  }
}

TEST(ExpWeights, AreExactToTwoUlpAndSummedByBlock) {
  for (const int count : {1, 16, 255, 256, 257, 1000}) {
    std::vector<float> logits = random_floats(static_cast<std::size_t>(count), 11, 10.0f);
    logits[0] = 40.0f;
    const auto run = [&](const FloatKernels& kernels) {
      std::vector<float> weights(logits.size());
      std::vector<double> sums((logits.size() + kWeightBlock - 1) / kWeightBlock);
      kernels.exp_weights({weights.data(), sums.data(), logits.data(), count, 40.0f, 0.7f});
      double total = 0.0;
      for (const double sum : sums) total += sum;
      double expected = 0.0;
      for (const float weight : weights) expected += weight;
      EXPECT_NEAR(total, expected, 1e-6 * expected);
      return weights;
    };
    const std::vector<float> weights = on_every_isa(run);
    EXPECT_EQ(weights[0], 1.0f);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double expected = std::exp(static_cast<double>((logits[i] - 40.0f) / 0.7f));
      if (expected < 1e-37) continue;
      EXPECT_NEAR(weights[i] / expected, 1.0, 2.4e-7) << logits[i];
    }
  }
}

TEST(ExpWeights, WhatCannotBeDrawnWeighsNothing) {
  const std::vector<float> logits = {1.0f, -kInfinite, -1000.0f, 1.0f};
  for (const Isa isa : all_isas()) {
    std::vector<float> weights(4);
    double sum = 0.0;
    for (const float temperature : {1.0f, 1e-30f, 1e-42f}) {
      float_kernels(isa).exp_weights({weights.data(), &sum, logits.data(), 4, 1.0f, temperature});
      EXPECT_EQ(weights, (std::vector<float>{1.0f, 0.0f, 0.0f, 1.0f}));
      EXPECT_EQ(sum, 2.0);
    }
  }
}

TEST(FindAbove, ListsEveryIndexOnceAndStopsWhenFull) {
  for (const Isa isa : all_isas()) {
    for (const int count : {0, 1, 16, 33, 500}) {
      const std::vector<float> values = random_floats(static_cast<std::size_t>(count), 12);
      std::vector<std::int32_t> expected, found;
      for (int i = 3; i < count; ++i) {
        if (values[static_cast<std::size_t>(i)] > 0.5f) expected.push_back(i);
      }
      std::int32_t ids[20];
      IndexScan scan{
          .values = values.data(), .begin = 3, .end = count, .threshold = 0.5f, .ids = ids, .capacity = 20};
      while (scan.begin < scan.end) {
        const IndexScanResult result = float_kernels(isa).find_above(scan);
        ASSERT_LE(result.found, 20);
        ASSERT_GT(result.next, scan.begin);
        found.insert(found.end(), ids, ids + result.found);
        scan.begin = result.next;
      }
      EXPECT_EQ(found, expected) << isa_name(isa);
    }
  }
}

TEST(FindAbove, NeitherEqualsNorNansAreAbove) {
  const std::vector<float> values = {1.0f, kNan, 2.0f, -kInfinite, kInfinite};
  for (const Isa isa : all_isas()) {
    std::int32_t ids[16];
    const IndexScanResult result = float_kernels(isa).find_above({values.data(), 0, 5, 1.0f, ids, 16});
    ASSERT_EQ(result.found, 2);
    EXPECT_EQ(ids[0], 2);
    EXPECT_EQ(ids[1], 4);
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
