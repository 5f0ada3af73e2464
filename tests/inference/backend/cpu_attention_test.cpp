// Attention of a step: against its twin, and whatever the cut into units.

#include "inference/backend/cpu_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/cpu/compute_pool.h"
#include "kernels/reference/attention.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::inference::backend {
namespace {

constexpr int kCacheBlocks = 120;

BackendOptions options_with(int num_heads, int num_kv_heads, int head_dim) {
  BackendOptions options;
  options.shape.num_layers = 2;
  options.shape.num_heads = num_heads;
  options.shape.num_kv_heads = num_kv_heads;
  options.shape.head_dim = head_dim;
  options.kv_type = KvType::f32;
  options.num_blocks = kCacheBlocks;
  return options;
}

// A decode row, a prompt, a chunk behind a long context and a first token, in one step.
StepPlan mixed_plan() {
  StepPlan plan;
  std::vector<std::int32_t> blocks(kCacheBlocks);
  std::iota(blocks.begin(), blocks.end(), 0);
  std::shuffle(blocks.begin(), blocks.end(), std::mt19937(1));
  const auto add = [&](std::int32_t num_rows, std::int32_t first_position) {
    const auto first_row = static_cast<std::int32_t>(plan.token_ids.size());
    plan.sequences.push_back(
        {first_row, num_rows, first_position, static_cast<std::int32_t>(plan.block_table.size())});
    plan.token_ids.resize(plan.token_ids.size() + static_cast<std::size_t>(num_rows));
    for (std::int32_t token = 0; token < first_position + num_rows; token += kBlockTokens) {
      plan.block_table.push_back(blocks.back());
      blocks.pop_back();
    }
  };
  add(1, 700);
  add(60, 0);
  add(20, 500);
  add(1, 0);
  return plan;
}

struct Fixture {
  BackendOptions options;
  KvCache cache;
  StepPlan plan = mixed_plan();
  std::size_t width;  // of a row of queries
  std::vector<float> queries;

  explicit Fixture(const BackendOptions& options_in)
      : options(options_in),
        cache(options),
        width(static_cast<std::size_t>(options.shape.num_heads * options.shape.head_dim)),
        queries(kernels::random_floats(plan.token_ids.size() * width, 2)) {
    const auto& kernels = kernels::cpu::float_kernels(kernels::cpu::best_isa());
    const auto kv_width = static_cast<std::size_t>(options.shape.num_kv_heads * options.shape.head_dim);
    for (std::int32_t block = 0; block < kCacheBlocks; ++block) {
      for (int layer = 0; layer < 2; ++layer) {
        for (int slot = 0; slot < kBlockTokens; ++slot) {
          const std::vector<float> row = token_row(block, layer, slot);
          kernels.store_kv({.keys = row.data(),
                            .values = row.data() + kv_width,
                            .block_keys = cache.keys(block, layer),
                            .block_values = cache.values(block, layer),
                            .num_kv_heads = options.shape.num_kv_heads,
                            .head_dim = options.shape.head_dim,
                            .slot = slot,
                            .element = cache.element()});
        }
      }
    }
  }

  // Keys, then values of one token.
  std::vector<float> token_row(std::int32_t block, int layer, int slot) const {
    const auto kv_width = static_cast<std::size_t>(options.shape.num_kv_heads * options.shape.head_dim);
    return kernels::random_floats(2 * kv_width,
                                  static_cast<unsigned>((block * 2 + layer) * kBlockTokens + slot + 100));
  }

  std::vector<float> run(int num_threads, int layer) const {
    kernels::cpu::ComputePool pool(num_threads);
    CpuAttention attention(options.shape, kernels::cpu::float_kernels(kernels::cpu::best_isa()), cache,
                           num_threads);
    std::vector<float> out(queries.size());
    attention.begin_step(plan);
    for (int i = 0; i <= layer; ++i) {  // a layer must not leave anything behind for the next
      attention.begin_layer(i, {.queries = queries.data(), .query_stride = width, .out = out.data()});
      auto job = [&](int thread) { attention.run(thread); };
      pool.run(job);
    }
    return out;
  }

  void expect_close_to_twin(const std::vector<float>& out, int layer) const {
    const ModelShape& shape = options.shape;
    const auto head_dim = static_cast<std::size_t>(shape.head_dim);
    const auto kv_width = static_cast<std::size_t>(shape.num_kv_heads) * head_dim;
    for (const SequenceRows& sequence : plan.sequences) {
      std::vector<float> tokens;
      for (std::int32_t t = 0; t < sequence.first_position + sequence.num_rows; ++t) {
        const std::int32_t block =
            plan.block_table[static_cast<std::size_t>(sequence.first_block + t / kBlockTokens)];
        const std::vector<float> row = token_row(block, layer, t % kBlockTokens);
        tokens.insert(tokens.end(), row.begin(), row.end());
      }
      for (std::int32_t i = 0; i < sequence.num_rows; ++i) {
        for (int head = 0; head < shape.num_heads; ++head) {
          const std::size_t offset = static_cast<std::size_t>(sequence.first_row + i) * width +
                                     static_cast<std::size_t>(head) * head_dim;
          const float* keys =
              tokens.data() +
              static_cast<std::size_t>(head / (shape.num_heads / shape.num_kv_heads)) * head_dim;
          std::vector<float> expected(head_dim);
          kernels::reference::attention(
              expected, {.query = std::span(queries).subspan(offset, head_dim),
                         .keys = keys,
                         .values = keys + kv_width,
                         .num_keys = static_cast<std::size_t>(sequence.first_position + i + 1),
                         .stride = 2 * kv_width});
          for (std::size_t d = 0; d < head_dim; ++d) ASSERT_NEAR(out[offset + d], expected[d], 2e-6f);
        }
      }
    }
  }
};

TEST(CpuAttention, IsTheReferenceAndTheSameForAnyNumberOfThreads) {
  for (const auto& options : {options_with(14, 2, 32), options_with(3, 3, 48), options_with(40, 1, 16)}) {
    const Fixture fixture(options);
    for (const int layer : {0, 1}) {
      const std::vector<float> out = fixture.run(1, layer);
      fixture.expect_close_to_twin(out, layer);
      for (const int threads : {2, 3, 8}) {
        const std::vector<float> other = fixture.run(threads, layer);
        EXPECT_EQ(std::memcmp(other.data(), out.data(), out.size() * sizeof(float)), 0)
            << threads << " threads";
      }
    }
  }
}

TEST(CpuAttention, AStepWithoutRowsIsNoWork) {
  const BackendOptions options = options_with(2, 1, 16);
  const KvCache cache(options);
  CpuAttention attention(options.shape, kernels::cpu::float_kernels(kernels::cpu::best_isa()), cache, 2);
  const StepPlan plan;
  attention.begin_step(plan);
  attention.begin_layer(0, {});
  attention.run(0);
}

}  // namespace
}  // namespace parley::inference::backend
