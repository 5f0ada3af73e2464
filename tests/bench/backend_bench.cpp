// What a step of the CPU backend costs apart from the linear products: joins, attention at depth, sampling.
// PARLEY_ISA picks the instruction set.

#include <benchmark/benchmark.h>

#include <numeric>
#include <random>
#include <vector>

#include "inference/backend/cpu_attention.h"
#include "inference/backend/kv_cache.h"
#include "kernels/cpu/compute_pool.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/sample.h"

namespace parley::inference::backend {
namespace {

namespace cpu = kernels::cpu;

void join(benchmark::State& state) {
  cpu::ComputePool pool(static_cast<int>(state.range(0)));
  auto job = [](int) {};
  for (auto _ : state) pool.run(job);
}
BENCHMARK(join)->Arg(1)->Arg(2)->UseRealTime();

void barrier(benchmark::State& state) {
  constexpr int kRounds = 1000;
  cpu::ComputePool pool(2);
  auto job = [&](int thread) {
    for (int i = 0; i < kRounds; ++i) pool.barrier(thread);
  };
  for (auto _ : state) pool.run(job);
  state.SetItemsProcessed(state.iterations() * kRounds);
}
BENCHMARK(barrier)->UseRealTime();

// Attention of all layers of a model with `heads` query heads on two KV heads: `rows` rows at the end of
// `depth` tokens.
void attention(benchmark::State& state) {
  const int depth = static_cast<int>(state.range(0));
  const int rows = static_cast<int>(state.range(1));
  BackendOptions options;
  options.num_blocks = depth / kBlockTokens;
  options.shape.num_layers = 24;
  options.shape.num_heads = 14;
  options.shape.num_kv_heads = 2;
  options.shape.head_dim = static_cast<int>(state.range(2));
  const ModelShape& shape = options.shape;
  constexpr int kThreads = 2;
  const KvCache cache(options);
  cpu::ComputePool pool(kThreads);
  CpuAttention stage(shape, cpu::float_kernels(cpu::selected_isa()), cache, kThreads);

  StepPlan plan{
      .token_ids = {}, .sequences = {{0, rows, depth - rows, 0}}, .block_table = {}, .logit_rows = {}};
  plan.block_table.resize(static_cast<std::size_t>(options.num_blocks));
  std::iota(plan.block_table.begin(), plan.block_table.end(), 0);
  const std::size_t width = static_cast<std::size_t>(shape.num_heads * shape.head_dim);
  std::vector<float> queries(static_cast<std::size_t>(rows) * width, 0.1f), out(queries.size());
  std::mt19937 random(1);
  for (std::int32_t block = 0; block < options.num_blocks; ++block) {
    auto* halves = reinterpret_cast<std::uint16_t*>(cache.keys(block, 0));
    const std::size_t count = kv_block_bytes(shape, options.kv_type) / 2;
    for (std::size_t i = 0; i < count; ++i)
      halves[i] = static_cast<std::uint16_t>(0x3000 + (random() & 0x7ff));
  }
  for (auto _ : state) {
    stage.begin_step(plan);
    for (int layer = 0; layer < shape.num_layers; ++layer) {
      stage.begin_layer(layer, {.queries = queries.data(), .query_stride = width, .out = out.data()});
      auto job = [&](int thread) { stage.run(thread); };
      pool.run(job);
    }
  }
  const double keys = rows * (depth - rows + 0.5 * (rows + 1));  // seen by all rows together
  const double flops = 4.0 * keys * static_cast<double>(width) * shape.num_layers;
  state.counters["GFLOP/s"] =
      benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(kv_block_bytes(shape, options.kv_type)) *
                          options.num_blocks);
}
BENCHMARK(attention)
    ->ArgNames({"depth", "rows", "head_dim"})
    ->Args({512, 1, 64})
    ->Args({8192, 1, 64})
    ->Args({8192, 1, 128})
    ->Args({512, 256, 64})
    ->Args({2048, 256, 64})
    ->Args({2048, 256, 128})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void sample(benchmark::State& state, kernels::reference::SampleSettings settings) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal(0.0f, 2.5f);
  std::vector<float> logits(151936);
  for (float& logit : logits) logit = normal(random);
  cpu::Sampler sampler(cpu::selected_isa());
  for (auto _ : state) {
    benchmark::DoNotOptimize(sampler.sample(logits, settings));
    ++settings.draw;
  }
}
BENCHMARK_CAPTURE(sample, greedy, {.temperature = 0.0f})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sample, top_k_top_p_min_p,
                  {.temperature = 0.7f, .top_k = 40, .top_p = 0.95f, .min_p = 0.05f})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sample, top_p, {.temperature = 0.7f, .top_p = 0.9f})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sample, min_p, {.temperature = 1.0f, .min_p = 0.05f})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sample, temperature, {.temperature = 1.0f})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(sample, greedy_with_20_logprobs, {.num_logprobs = 20})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace parley::inference::backend

BENCHMARK_MAIN();
