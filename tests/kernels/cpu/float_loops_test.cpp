// Each float kernel that has no twin in kernels/reference against the loop that defines it, over odd sizes,
// on every instruction set that runs here.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/cpu/float_kernels.h"
#include "kernels/dtypes/half.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

const std::vector<int>& odd_sizes() {
  static const std::vector<int> kSizes = {1,  2,   7,   15,  16,  17,  31,  33,  63,
                                          65, 127, 255, 256, 257, 511, 513, 1001};
  return kSizes;
}

class FloatLoops : public testing::TestWithParam<Isa> {
 protected:
  std::vector<float> random_values(std::size_t count, float scale = 1.0f) {
    std::normal_distribution<float> normal(0.0f, scale);
    std::vector<float> values(count);
    for (float& value : values) value = normal(random_);
    return values;
  }

  const FloatKernels& kernels_ = float_kernels(GetParam());
  std::mt19937 random_{17};
};

// Element i of a block in f32 or as f16 bits.
std::uint32_t bits_at(const std::vector<std::byte>& block, KvElement element, std::size_t i) {
  std::uint32_t bits = 0;
  const std::size_t bytes = element == KvElement::f32 ? 4 : 2;
  std::memcpy(&bits, block.data() + i * bytes, bytes);
  return bits;
}

std::uint32_t bits_of(float value, KvElement element) {
  if (element == KvElement::f16) return dtypes::float_to_half(value);
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST_P(FloatLoops, StoreKvFillsABlockSlotBySlot) {
  for (const KvElement element : {KvElement::f16, KvElement::f32}) {
    for (const std::size_t heads : {std::size_t{1}, std::size_t{3}, std::size_t{5}}) {
      for (const std::size_t head_dim :
           {std::size_t{16}, std::size_t{48}, std::size_t{80}, std::size_t{112}}) {
        const std::size_t count = heads * head_dim;
        std::vector<std::byte> block_keys(count * 16 * 4), block_values(count * 16 * 4);
        std::vector<std::uint32_t> keys(count * 16), values(count * 16);
        for (std::size_t slot = 0; slot < 16; ++slot) {
          const std::vector<float> key = random_values(count, 3.0f), value = random_values(count, 3.0f);
          kernels_.store_kv({key.data(), value.data(), block_keys.data(), block_values.data(),
                             static_cast<int>(heads), static_cast<int>(head_dim), static_cast<int>(slot),
                             element});
          for (std::size_t h = 0; h < heads; ++h) {
            for (std::size_t d = 0; d < head_dim; ++d) {
              keys[(h * head_dim + d) * 16 + slot] = bits_of(key[h * head_dim + d], element);
              values[(h * 16 + slot) * head_dim + d] = bits_of(value[h * head_dim + d], element);
            }
          }
        }
        for (std::size_t i = 0; i < count * 16; ++i) {
          ASSERT_EQ(bits_at(block_keys, element, i), keys[i]) << heads << " " << head_dim << " " << i;
          ASSERT_EQ(bits_at(block_values, element, i), values[i]) << heads << " " << head_dim << " " << i;
        }
      }
    }
  }
}

TEST_P(FloatLoops, ScanLogitsIsALoopOverAll) {
  for (const int count : odd_sizes()) {
    std::vector<float> logits = random_values(static_cast<std::size_t>(count), 5.0f);
    for (float& logit : logits) logit -= 100.0f;  // zero is above all: padding lanes would show
    for (const std::size_t place : {std::size_t{0}, logits.size() / 2, logits.size() - 1}) {
      std::vector<float> row = logits;
      row[place] += 50.0f;
      float highest = row[0];
      for (const float logit : row) highest = std::max(highest, logit);
      const LogitScan scan = kernels_.scan_logits(row.data(), count);
      EXPECT_EQ(scan.highest, highest) << count << " " << place;
      EXPECT_TRUE(scan.regular) << count;
      row[place] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_FALSE(kernels_.scan_logits(row.data(), count).regular) << count << " " << place;
    }
  }
}

TEST_P(FloatLoops, ExpWeightsAreALoopOverAllWithASumForEachBlock) {
  for (const int count : odd_sizes()) {
    for (const float temperature : {0.3f, 1.0f, 2.5f}) {
      const std::vector<float> logits = random_values(static_cast<std::size_t>(count), 4.0f);
      const float highest = *std::max_element(logits.begin(), logits.end());
      const std::size_t blocks = (logits.size() + kWeightBlock - 1) / kWeightBlock;
      std::vector<float> weights(logits.size());
      std::vector<double> sums(blocks + 1, -1.0);
      kernels_.exp_weights({weights.data(), sums.data(), logits.data(), count, highest, temperature});
      std::vector<double> expected(blocks + 1, 0.0);
      expected[blocks] = -1.0;  // behind the last block nothing is written
      for (std::size_t i = 0; i < logits.size(); ++i) {
        const double weight = std::exp((static_cast<double>(logits[i]) - highest) / temperature);
        // A few ulp of the weight, and the rounding of the quotient in f32; subnormal weights are zero.
        constexpr double kLeastNormal = std::numeric_limits<float>::min();
        const double quotient = std::abs(logits[i] - highest) / temperature;
        EXPECT_NEAR(weights[i], weight, weight * (3e-7 + 2e-7 * quotient) + kLeastNormal)
            << count << " " << i;
        expected[i / kWeightBlock] += weights[i];
      }
      for (std::size_t b = 0; b <= blocks; ++b)
        EXPECT_NEAR(sums[b], expected[b], 1e-6 * std::abs(expected[b]));
    }
  }
}

TEST_P(FloatLoops, FindAboveIsALoopOverTheRange) {
  for (const int count : odd_sizes()) {
    const std::vector<float> values = random_values(static_cast<std::size_t>(count));
    for (const int begin : {0, 1, count / 3, count - 1, count}) {
      for (const float threshold : {-10.0f, 0.0f, 1.5f, 10.0f}) {
        std::vector<std::int32_t> ids(values.size() + 16, -1), expected;
        for (int i = begin; i < count; ++i) {
          if (values[static_cast<std::size_t>(i)] > threshold) expected.push_back(i);
        }
        const IndexScanResult result = kernels_.find_above(
            {values.data(), begin, count, threshold, ids.data(), static_cast<int>(ids.size())});
        EXPECT_EQ(result.next, count);
        ids.resize(static_cast<std::size_t>(result.found));
        EXPECT_EQ(ids, expected) << count << " from " << begin << " above " << threshold;
      }
    }
  }
}

struct RandomState {
  std::vector<float> maxima, sums, values;
  AttentionState view() { return {maxima.data(), sums.data(), values.data()}; }
};

class FloatLoopsOfStates : public FloatLoops {
 protected:
  RandomState random_state(std::size_t rows, std::size_t head_dim) {
    RandomState state{random_values(rows, 8.0f), random_values(rows), random_values(rows * head_dim, 3.0f)};
    for (float& sum : state.sums) sum = 1.0f + std::abs(sum) * 100.0f;
    return state;
  }
};

TEST_P(FloatLoopsOfStates, MergeSpansScalesBothToTheLargerMaximum) {
  for (const std::size_t rows :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{13}}) {
    for (const std::size_t head_dim : {std::size_t{16}, std::size_t{48}, std::size_t{80}, std::size_t{128}}) {
      RandomState state = random_state(rows, head_dim);
      RandomState next = random_state(rows, head_dim);
      next.maxima[0] = state.maxima[0];                         // equal
      if (rows > 1) next.maxima[1] = state.maxima[1] - 300.0f;  // vanishes
      if (rows > 2) next.maxima[2] = state.maxima[2] + 300.0f;  // all that was before vanishes
      const RandomState before = state;
      const RandomState added = next;
      kernels_.merge_spans(state.view(), next.view(), static_cast<int>(rows), static_cast<int>(head_dim));
      for (std::size_t r = 0; r < rows; ++r) {
        const float maximum = std::max(before.maxima[r], added.maxima[r]);
        const double keep = std::exp(static_cast<double>(before.maxima[r]) - maximum);
        const double add = std::exp(static_cast<double>(added.maxima[r]) - maximum);
        EXPECT_EQ(state.maxima[r], maximum);
        const double sum = before.sums[r] * keep + added.sums[r] * add;
        EXPECT_NEAR(state.sums[r], sum, 2e-6 * sum) << rows << " " << r;
        for (std::size_t d = 0; d < head_dim; ++d) {
          const double a = before.values[r * head_dim + d] * keep;
          const double b = added.values[r * head_dim + d] * add;
          EXPECT_NEAR(state.values[r * head_dim + d], a + b, 2e-6 * (std::abs(a) + std::abs(b)))
              << rows << " " << head_dim << " " << r << " " << d;
        }
      }
      EXPECT_EQ(next.values, added.values) << "only read";
    }
  }
}

TEST_P(FloatLoopsOfStates, FinishAttentionDividesARowByItsSum) {
  for (const std::size_t head_dim : {std::size_t{16}, std::size_t{48}, std::size_t{80}, std::size_t{128}}) {
    RandomState state = random_state(5, head_dim);
    for (std::size_t r = 0; r < 5; ++r) {
      std::vector<float> out(head_dim + 1, -7.0f);
      kernels_.finish_attention(out.data(), state.view(), static_cast<int>(r), static_cast<int>(head_dim));
      for (std::size_t d = 0; d < head_dim; ++d) {
        const double expected = static_cast<double>(state.values[r * head_dim + d]) / state.sums[r];
        EXPECT_NEAR(out[d], expected, 2e-7 * std::abs(expected)) << head_dim << " " << r << " " << d;
      }
      EXPECT_EQ(out[head_dim], -7.0f) << "nothing behind the row";
    }
  }
}

std::string isa_of(const testing::TestParamInfo<Isa>& info) { return std::string(isa_name(info.param)); }

INSTANTIATE_TEST_SUITE_P(EveryIsa, FloatLoops, testing::ValuesIn(all_isas()), isa_of);
INSTANTIATE_TEST_SUITE_P(EveryIsa, FloatLoopsOfStates, testing::ValuesIn(all_isas()), isa_of);

}  // namespace
}  // namespace parley::kernels::cpu
