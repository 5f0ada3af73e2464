// The attention kernels against their twin and the exactness contract.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/cpu/float_kernels.h"
#include "kernels/dtypes/half.h"
#include "kernels/reference/attention.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

constexpr std::size_t kBlock = kKvBlockTokens;

// Keys and values of one KV head, in blocks and as plain rows of what the blocks hold.
struct Cache {
  int head_dim;
  KvElement element;
  std::vector<std::vector<std::byte>> key_blocks, value_blocks;
  std::vector<float> keys, values;  // [tokens, head_dim]

  Cache(int num_tokens, int head_dim_in, KvElement element_in, unsigned seed)
      : head_dim(head_dim_in), element(element_in) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const std::size_t width = static_cast<std::size_t>(head_dim);
    std::vector<float> key(width), value(width);
    for (int token = 0; token < num_tokens; ++token) {
      for (float& x : key) x = normal(random);
      for (float& x : value) x = normal(random);
      // What lies behind the last token must not matter: fill blocks with NaN first.
      if (token % kKvBlockTokens == 0) {
        key_blocks.emplace_back(width * kBlock * 4, std::byte{0xff});
        value_blocks.emplace_back(width * kBlock * 4, std::byte{0xff});
      }
      float_kernels(Isa::portable)
          .store_kv({key.data(), value.data(), key_blocks.back().data(), value_blocks.back().data(), 1,
                     head_dim, token % kKvBlockTokens, element});
      for (float x : key) keys.push_back(stored(x));
      for (float x : value) values.push_back(stored(x));
    }
  }
  float stored(float x) const {
    return element == KvElement::f32 ? x : dtypes::half_to_float(dtypes::float_to_half(x));
  }
};

struct KernelState {
  std::vector<float> maxima, sums, values;
  KernelState(std::size_t rows, std::size_t head_dim) : maxima(rows), sums(rows), values(rows * head_dim) {}
  AttentionState view(std::size_t row = 0) {
    const std::size_t head_dim = values.size() / maxima.size();
    return {maxima.data() + row, sums.data() + row, values.data() + row * head_dim};
  }
};

// Attention of rows at `positions` (ascending), all spans in order.
std::vector<float> attend(const FloatKernels& kernels, const Cache& cache, const std::vector<float>& queries,
                          const std::vector<int>& positions) {
  const std::size_t rows = positions.size();
  const std::size_t width = static_cast<std::size_t>(cache.head_dim);
  std::vector<float> scaled = queries;
  for (float& q : scaled) q *= 1.0f / std::sqrt(static_cast<float>(cache.head_dim));
  std::vector<float> scratch(attention_scratch_floats(cache.head_dim));
  KernelState state(rows, width), next(rows, width);
  for (int first = 0; first <= positions.back(); first += kSpanTokens) {
    std::vector<const void*> keys, values;
    std::vector<std::int32_t> visible;
    const int tokens = std::min(positions.back() + 1 - first, kSpanTokens);
    for (int t = 0; t < tokens; t += kKvBlockTokens) {
      keys.push_back(cache.key_blocks[static_cast<std::size_t>((first + t) / kKvBlockTokens)].data());
      values.push_back(cache.value_blocks[static_cast<std::size_t>((first + t) / kKvBlockTokens)].data());
    }
    std::size_t first_row = 0;
    while (positions[first_row] < first) ++first_row;
    for (std::size_t r = first_row; r < rows; ++r)
      visible.push_back(std::min(positions[r] + 1 - first, kSpanTokens));
    kernels.attend_span({.queries = scaled.data() + first_row * width,
                         .keys = keys.data(),
                         .values = values.data(),
                         .visible = visible.data(),
                         .scratch = scratch.data(),
                         .rows = static_cast<int>(rows - first_row),
                         .num_blocks = static_cast<int>(keys.size()),
                         .head_dim = cache.head_dim,
                         .element = cache.element},
                        first == 0 ? state.view() : next.view(first_row));
    if (first > 0) {
      kernels.merge_spans(state.view(first_row), next.view(first_row), static_cast<int>(rows - first_row),
                          cache.head_dim);
    }
  }
  std::vector<float> out(rows * width);
  for (std::size_t r = 0; r < rows; ++r) {
    kernels.finish_attention(out.data() + r * width, state.view(), static_cast<int>(r), cache.head_dim);
  }
  return out;
}

std::vector<float> random_queries(std::size_t rows, int head_dim, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0f, 2.0f);
  std::vector<float> queries(rows * static_cast<std::size_t>(head_dim));
  for (float& q : queries) q = normal(random);
  return queries;
}

bool same_floats(const float* a, const float* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(float)) == 0;
}

class AttentionKernel : public testing::TestWithParam<int> {};

TEST_P(AttentionKernel, IsTheReferenceForAllDepthsAndBothTypes) {
  const int head_dim = GetParam();
  const std::size_t width = static_cast<std::size_t>(head_dim);
  for (const KvElement element : {KvElement::f16, KvElement::f32}) {
    const Cache cache(600, head_dim, element, 1);
    for (const int position : {0, 1, 14, 15, 16, 17, 100, 255, 256, 257, 511, 599}) {
      const std::vector<float> query = random_queries(1, head_dim, 2);
      std::vector<float> expected(width);
      reference::attention(expected, {.query = query,
                                      .keys = cache.keys.data(),
                                      .values = cache.values.data(),
                                      .num_keys = static_cast<std::size_t>(position) + 1,
                                      .stride = width});
      for (const Isa isa : all_isas()) {
        const std::vector<float> out = attend(float_kernels(isa), cache, query, {position});
        for (std::size_t d = 0; d < width; ++d) {
          // f32 scores of this size are off by some 1e-6, which the exponential passes on.
          ASSERT_NEAR(out[d], expected[d], 5e-6f) << isa_name(isa) << " position " << position << " d " << d;
        }
      }
    }
  }
}

// Contract: a row's bits depend neither on the rows beside it, nor on what lies behind it, nor on the
// instruction set.
TEST_P(AttentionKernel, ARowIsTheSameAloneAndInTilesOfAnySize) {
  const int head_dim = GetParam();
  const std::size_t width = static_cast<std::size_t>(head_dim);
  for (const KvElement element : {KvElement::f16, KvElement::f32}) {
    const Cache cache(290, head_dim, element, 3);
    for (const int rows : {1, 2, 3, 7, 8, 9, 16, 17, 40}) {
      for (const int heads : {1, 3}) {  // query heads that share a position
        std::vector<int> positions(static_cast<std::size_t>(rows));
        for (int r = 0; r < rows; ++r)
          positions[static_cast<std::size_t>(r)] = 289 - (rows - 1) / heads + r / heads;
        const std::vector<float> queries = random_queries(static_cast<std::size_t>(rows), head_dim, 4);
        const std::vector<float> expected = attend(float_kernels(best_isa()), cache, queries, positions);
        for (const Isa isa : all_isas()) {
          if (isa == Isa::portable && rows != 1 && rows != 7 && rows != 17) continue;  // slow
          const std::vector<float> out = attend(float_kernels(isa), cache, queries, positions);
          ASSERT_TRUE(same_floats(out.data(), expected.data(), out.size()))
              << isa_name(isa) << " rows " << rows;
        }
        for (std::size_t r = 0; r < positions.size(); ++r) {
          const std::vector<float> query(queries.begin() + static_cast<std::ptrdiff_t>(r * width),
                                         queries.begin() + static_cast<std::ptrdiff_t>((r + 1) * width));
          const std::vector<float> alone = attend(float_kernels(best_isa()), cache, query, {positions[r]});
          ASSERT_TRUE(same_floats(alone.data(), expected.data() + r * width, width))
              << "row " << r << " of " << rows;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(HeadDims, AttentionKernel, testing::Values(16, 32, 64, 80, 96, 128, 256));

TEST(AttentionKernelRange, LargeScoresNeitherOverflowNorVanish) {
  Cache cache(20, 16, KvElement::f32, 5);
  std::vector<float> query(16, 0.0f);
  for (std::size_t d = 0; d < 16; ++d) query[d] = 1e4f * cache.keys[7 * 16 + d];  // token 7 wins by far
  for (const Isa isa : all_isas()) {
    const std::vector<float> out = attend(float_kernels(isa), cache, query, {19});
    for (std::size_t d = 0; d < 16; ++d) EXPECT_NEAR(out[d], cache.values[7 * 16 + d], 1e-6f);
  }
}

TEST(AttentionKernelRange, ANanKeyMakesTheRowsThatSeeItNan) {
  Cache cache(20, 16, KvElement::f32, 6);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(cache.key_blocks[0].data() + 4 * 10, &nan, 4);  // token 10
  for (const Isa isa : all_isas()) {
    const std::vector<float> out = attend(float_kernels(isa), cache, random_queries(3, 16, 7), {9, 10, 11});
    EXPECT_FALSE(std::isnan(out[0])) << isa_name(isa);
    EXPECT_TRUE(std::isnan(out[16])) << isa_name(isa);
    EXPECT_TRUE(std::isnan(out[32])) << isa_name(isa);
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
