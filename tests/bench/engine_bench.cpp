// The engine's own costs, without a model: prefix look-up (goal: 512 blocks in at most 20 us) and the work
// per step at 256 decoding requests (goal: at most 100 us, median). Run by hand:
// build/release/tests/bench/engine_bench

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "inference/engine/engine_core.h"
#include "tests/bench/median.h"

namespace parley::inference::engine {
namespace {

constexpr int kVocabulary = 150000;

std::vector<std::int32_t> random_tokens(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int32_t> tokens(count);
  for (auto& id : tokens) id = static_cast<std::int32_t>(random() % kVocabulary);
  return tokens;
}

std::vector<BlockKey> keys_of(std::span<const std::int32_t> tokens) {
  std::vector<BlockKey> keys;
  BlockKey parent = root_key(1, 0);
  for (std::size_t i = 0; i + backend::kBlockTokens <= tokens.size(); i += backend::kBlockTokens) {
    parent = chain_key(parent, BlockTokens(tokens.subspan(i, backend::kBlockTokens)));
    keys.push_back(parent);
  }
  return keys;
}

// A pool full of published conversations of 512 blocks each.
struct FullPool {
  static constexpr std::size_t kChain = 512;
  static constexpr std::size_t kConversations = 32;

  FullPool() : pool(static_cast<int>(kChain * kConversations)) {
    for (std::size_t c = 0; c < kConversations; ++c) {
      prompts.push_back(random_tokens(kChain * backend::kBlockTokens, c));
      keys.push_back(keys_of(prompts.back()));
      std::vector<BlockId> table;
      for (std::size_t i = 0; i < kChain; ++i) {
        const BlockId parent = i == 0 ? kNoBlock : table.back();
        table.push_back(pool.publish(pool.allocate(), {keys[c][i], parent, 0, chain(c).block_tokens(i)}));
      }
      pool.release(table, Retention::keep);
    }
  }
  BlockChain chain(std::size_t conversation) const { return {keys[conversation], prompts[conversation], 0}; }

  BlockPool pool;
  std::vector<std::vector<std::int32_t>> prompts;
  std::vector<std::vector<BlockKey>> keys;
};

// The whole look-up of a new prompt: keys of 8192 tokens, then the match.
void BM_prefix_lookup_512_blocks(benchmark::State& state) {
  const FullPool full;
  std::vector<BlockId> blocks;
  std::size_t conversation = 0;
  for (auto _ : state) {
    conversation = (conversation + 7) % FullPool::kConversations;
    const std::vector<BlockKey> keys = keys_of(full.prompts[conversation]);
    blocks.clear();
    full.pool.match({keys, full.prompts[conversation], 0}, blocks);
    if (blocks.size() != FullPool::kChain) state.SkipWithError("no hit");
  }
}
BENCHMARK(BM_prefix_lookup_512_blocks)->Unit(benchmark::kMicrosecond);

void BM_prefix_keys_512_blocks(benchmark::State& state) {
  const auto prompt = random_tokens(512 * backend::kBlockTokens, 1);
  for (auto _ : state) benchmark::DoNotOptimize(keys_of(prompt));
}
BENCHMARK(BM_prefix_keys_512_blocks)->Unit(benchmark::kMicrosecond);

// What the queue's order needs of a waiting request.
void BM_prefix_estimate_512_blocks(benchmark::State& state) {
  const FullPool full;
  for (auto _ : state) benchmark::DoNotOptimize(full.pool.estimate_match(full.keys[3]));
}
BENCHMARK(BM_prefix_estimate_512_blocks)->Unit(benchmark::kMicrosecond);

class NullRunner final : public ModelRunner {
 public:
  std::vector<backend::SampledToken> run(const backend::StepPlan&,
                                         const backend::SamplePlan& sampling) override {
    started = Clock::now();
    backend::SampledToken token;
    token.token_id = static_cast<std::int32_t>(++num_steps_ % kVocabulary);
    std::vector<backend::SampledToken> drawn(sampling.size(), token);
    ended = Clock::now();
    return drawn;
  }
  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan&) override { return {}; }
  Clock::time_point started;
  Clock::time_point ended;

 private:
  int num_steps_ = 0;
};

class NullSink final : public TokenSink {
 public:
  void on_token(const GeneratedToken&) override {}
  void on_finish(const FinishedRequest&) override {}
};

// One step of `range(0)` decoding requests with 1000 to 5000 tokens each: scheduling, plan, commit, delivery.
void BM_step_work(benchmark::State& state) {
  const auto num_rows = static_cast<int>(state.range(0));
  const EngineOptions options{.num_blocks = num_rows * 400,
                              .max_context = 6400,
                              .vocab_size = kVocabulary,
                              .scheduling = {.max_sequences = num_rows, .max_step_tokens = 512}};
  auto* runner = new NullRunner;
  EngineCore core(std::unique_ptr<ModelRunner>(runner), options);
  for (int i = 0; i < num_rows; ++i) {
    Request request;
    request.prompt = random_tokens(1000, static_cast<std::uint64_t>(i));
    core.add({static_cast<RequestId>(i + 1), std::move(request), std::make_shared<NullSink>(), Clock::now()});
  }
  while (core.stats().waiting > 0 || core.stats().generated_tokens < 1) core.step();
  for (int i = 0; i < 200; ++i) core.step();
  core.deliver();
  std::vector<double> microseconds;
  for (auto _ : state) {
    const Clock::time_point start = Clock::now();
    core.step();
    core.deliver();
    const Clock::duration own = (runner->started - start) + (Clock::now() - runner->ended);
    microseconds.push_back(std::chrono::duration<double, std::micro>(own).count());
  }
  if (core.stats().running != num_rows) state.SkipWithError("a request has ended");
  state.counters["p50_us"] = bench::median(microseconds);
}
BENCHMARK(BM_step_work)->Arg(16)->Arg(256)->Iterations(1500)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace parley::inference::engine

BENCHMARK_MAIN();
