// The CPU backend against the reference backend, and the exactness contract: a row's bits depend on nothing
// but its own tokens.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fakes/message_of.h"
#include "tests/inference/backend/synthetic_run.h"

namespace parley::inference::backend {
namespace {

using kernels::cpu::Isa;
using kernels::dtypes::DType;
using Logits = SyntheticRun::Logits;

constexpr int kNumBlocks = 64;

BackendOptions options_for(const ModelShape& shape, KvType kv_type, int num_threads) {
  return {.shape = shape,
          .kv_type = kv_type,
          .num_blocks = kNumBlocks,
          .max_rows = 320,
          .num_threads = num_threads};
}

std::unique_ptr<Backend> make_with_isa(const BackendOptions& options, Isa isa) {
  setenv("PARLEY_ISA", std::string(kernels::cpu::isa_name(isa)).c_str(), 1);
  auto backend = make_cpu_backend(options);
  unsetenv("PARLEY_ISA");
  return backend;
}

bool same_bits(const Logits& a, const Logits& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(float)) != 0) return false;
  }
  return true;
}

// Root of the mean square difference over that of the expected logits, of the worst position.
double worst_difference(const Logits& actual, const Logits& expected) {
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double difference = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < expected[i].size(); ++j) {
      difference += std::pow(static_cast<double>(actual[i][j]) - expected[i][j], 2);
      size += std::pow(static_cast<double>(expected[i][j]), 2);
    }
    worst = std::max(worst, std::sqrt(difference / size));
  }
  return worst;
}

Logits run_at_once(Backend& backend, const SyntheticWeights& weights,
                   const std::vector<std::int32_t>& tokens) {
  SyntheticModel model(weights, backend);
  SyntheticRun run(model, {tokens}, kNumBlocks, 1);
  run.finish(0, 1000);
  return run.logits(0);
}

struct Case {
  DType dtype;
  int num_heads;
  int num_kv_heads;
  int head_dim;
  RopeLayout layout;
  double tolerance;  // quantised activations: 8 bits, one scale for 32 values
};

void PrintTo(const Case& model, std::ostream* out) {
  *out << kernels::dtypes::traits(model.dtype).name << ", " << model.num_heads << " heads of "
       << model.head_dim << ", " << model.num_kv_heads << " of keys and values";
}

class CpuBackend : public testing::TestWithParam<Case> {
 protected:
  SyntheticWeights weights_{{.dtype = GetParam().dtype,
                             .shape = small_shape(GetParam().num_heads, GetParam().num_kv_heads,
                                                  GetParam().head_dim, GetParam().layout)}};
  const ModelShape& shape_ = weights_.shape();
};

TEST_P(CpuBackend, IsCloseToTheReference) {
  const std::vector<std::int32_t> tokens = random_tokens(40, shape_.vocab_size, 1);
  const BackendOptions options = options_for(shape_, KvType::f32, 2);
  const auto reference = make_reference_backend(options);
  const auto backend = make_cpu_backend(options);
  const Logits expected = run_at_once(*reference, weights_, tokens);
  EXPECT_LT(worst_difference(run_at_once(*backend, weights_, tokens), expected), GetParam().tolerance);
}

TEST_P(CpuBackend, ChunksBatchesAndBlockTablesDoNotChangeABit) {
  const auto backend = make_cpu_backend(options_for(shape_, KvType::f16, 2));
  SyntheticModel model(weights_, *backend);
  const std::vector<std::vector<std::int32_t>> tokens = {
      random_tokens(300, shape_.vocab_size, 1), random_tokens(33, shape_.vocab_size, 2),
      random_tokens(7, shape_.vocab_size, 3), random_tokens(270, shape_.vocab_size, 4)};
  SyntheticRun alone(model, tokens, kNumBlocks, 1);
  for (std::size_t i = 0; i < tokens.size(); ++i) alone.finish(i, 1000);
  for (const int chunk : {1, 2, 3, 16, 33, 255}) {
    SyntheticRun chunked(model, tokens, kNumBlocks, static_cast<unsigned>(chunk));
    for (const std::size_t i : {0u, 1u}) {
      chunked.finish(i, chunk);
      EXPECT_TRUE(same_bits(chunked.logits(i), alone.logits(i))) << "chunks of " << chunk;
    }
  }
  std::mt19937 random(5);
  SyntheticRun mixed(model, tokens, kNumBlocks, 9);
  for (bool more = true; more;) {
    std::vector<SyntheticRun::Chunk> chunks;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const int rows =
          std::min(mixed.left(i), static_cast<int>(random() % 4 == 0 ? random() % 60 : random() % 3));
      if (rows > 0) chunks.push_back({i, rows});
    }
    if (!chunks.empty()) mixed.step(chunks);
    more = mixed.left(0) + mixed.left(1) + mixed.left(2) + mixed.left(3) > 0;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i)
    EXPECT_TRUE(same_bits(mixed.logits(i), alone.logits(i))) << i;
}

TEST_P(CpuBackend, ThreadsAndInstructionSetsDoNotChangeABit) {
  const std::vector<std::int32_t> tokens = random_tokens(270, shape_.vocab_size, 1);
  for (const KvType kv_type : {KvType::f16, KvType::f32}) {
    if (kv_type == KvType::f32 && GetParam().dtype != DType::f32) continue;  // goes with tests in f32
    const auto first = make_with_isa(options_for(shape_, kv_type, 1), Isa::portable);
    const Logits expected = run_at_once(*first, weights_, tokens);
    for (const Isa isa : kernels::all_isas()) {
      for (const int threads : {1, 2, 3}) {
        if (isa == Isa::portable && threads > 1) continue;  // slow
        const auto backend = make_with_isa(options_for(shape_, kv_type, threads), isa);
        SyntheticModel model(weights_, *backend);
        SyntheticRun run(model, {tokens}, kNumBlocks, 2);
        run.finish(0, 264);
        run.finish(0, 1);
        EXPECT_TRUE(same_bits(run.logits(0), expected)) << isa_name(isa) << " with " << threads << " threads";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CpuBackend,
                         testing::Values(Case{DType::f32, 4, 2, 64, RopeLayout::adjacent, 2e-6},
                                         Case{DType::f16, 7, 1, 32, RopeLayout::halves, 2e-6},
                                         Case{DType::bf16, 3, 3, 80, RopeLayout::halves, 2e-6},
                                         Case{DType::q4_0, 6, 2, 64, RopeLayout::adjacent, 0.05},
                                         Case{DType::q4_1, 14, 2, 64, RopeLayout::halves, 0.05},
                                         Case{DType::q5_0, 2, 1, 128, RopeLayout::halves, 0.05},
                                         Case{DType::q8_0, 16, 1, 16, RopeLayout::adjacent, 0.05},
                                         Case{DType::q4_k, 12, 2, 128, RopeLayout::halves, 0.05},
                                         Case{DType::q6_k, 8, 8, 32, RopeLayout::adjacent, 0.05}),
                         [](const testing::TestParamInfo<Case>& param) {
                           return std::string(kernels::dtypes::traits(param.param.dtype).name);
                         });

class CpuBackendSmall : public testing::Test {
 protected:
  SyntheticWeights weights_{{.shape = small_shape(2, 1, 16, RopeLayout::adjacent)}};
  std::unique_ptr<Backend> backend_ = make_cpu_backend(options_for(weights_.shape(), KvType::f16, 2));
  SyntheticModel model_{weights_, *backend_};
};

TEST_F(CpuBackendSmall, NamesItsInstructionSet) {
  EXPECT_EQ(backend_->name(), "cpu " + std::string(kernels::cpu::isa_name(kernels::cpu::selected_isa())));
}

TEST_F(CpuBackendSmall, SamplesEachLogitsRowByItsOwnSettings) {
  StepPlan plan{
      .token_ids = {1, 2, 3}, .sequences = {{0, 3, 0, 0}}, .block_table = {5}, .logit_rows = {0, 2}};
  const Logits logits = model_.forward(plan);
  SamplePlan sampling(2);
  sampling[1].logits_row = 1;
  sampling[0].num_logprobs = 2;
  sampling[1].temperature = 1.0f;
  sampling[1].top_k = 1;
  const std::vector<SampledToken> tokens = backend_->sample(sampling);
  ASSERT_EQ(tokens.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto best = std::max_element(logits[i].begin(), logits[i].end()) - logits[i].begin();
    EXPECT_EQ(tokens[i].token_id, best);
    EXPECT_TRUE(tokens[i].finite);
  }
  ASSERT_EQ(tokens[0].top.size(), 2u);
  EXPECT_EQ(tokens[0].top[0].token_id, tokens[0].token_id);
  EXPECT_EQ(tokens[0].top[0].logprob, tokens[0].logprob);
  EXPECT_TRUE(tokens[1].top.empty());
}

TEST_F(CpuBackendSmall, PenaltyKeepsASeenTokenAway) {
  StepPlan plan{.token_ids = {1}, .sequences = {{0, 1, 0, 0}}, .block_table = {0}, .logit_rows = {0}};
  model_.forward(plan);
  const std::int32_t first = backend_->sample(SamplePlan(1))[0].token_id;
  const std::vector<TokenCount> seen = {{first, 1}};
  SamplePlan sampling(1);
  sampling[0].repeat_penalty = 1e6f;
  sampling[0].seen = seen;
  EXPECT_NE(backend_->sample(sampling)[0].token_id, first);
  EXPECT_EQ(backend_->sample(SamplePlan(1))[0].token_id, first);  // the logits are as before
}

TEST_F(CpuBackendSmall, DrawsFromOneLogitsRowAsOftenAsAskedAndOnlyWhatIsAllowed) {
  StepPlan plan{
      .token_ids = {1, 2, 3}, .sequences = {{0, 3, 0, 0}}, .block_table = {5}, .logit_rows = {0, 2}};
  const Logits logits = model_.forward(plan);
  const auto best = std::max_element(logits[1].begin(), logits[1].end()) - logits[1].begin();
  std::vector<std::uint64_t> mask((logits[1].size() + 63) / 64, ~std::uint64_t{0});
  mask[static_cast<std::size_t>(best) / 64] &= ~(std::uint64_t{1} << (best % 64));
  SamplePlan sampling(2);
  sampling[0].logits_row = 1;
  sampling[1].logits_row = 1;
  sampling[1].allowed = mask;
  std::vector<float> others = logits[1];
  others[static_cast<std::size_t>(best)] = -1e30f;
  const std::vector<SampledToken> tokens = backend_->sample(sampling);
  EXPECT_EQ(tokens[0].token_id, best);
  EXPECT_EQ(tokens[1].token_id, std::max_element(others.begin(), others.end()) - others.begin());
}

TEST_F(CpuBackendSmall, AStepWithoutLogitRowsWritesItsKeysAndValues) {
  StepPlan first{.token_ids = {7, 8}, .sequences = {{0, 2, 0, 0}}, .block_table = {1}, .logit_rows = {}};
  EXPECT_TRUE(model_.forward(first).empty());
  EXPECT_TRUE(backend_->sample({}).empty());
  const StepPlan second{.token_ids = {9}, .sequences = {{0, 1, 2, 0}}, .block_table = {1}, .logit_rows = {0}};
  const Logits in_two = model_.forward(second);
  const StepPlan whole{
      .token_ids = {7, 8, 9}, .sequences = {{0, 3, 0, 0}}, .block_table = {2}, .logit_rows = {2}};
  EXPECT_TRUE(same_bits(model_.forward(whole), in_two));
}

TEST(CpuBackendCheck, RefusesHeadsThatItsLayoutCannotHold) {
  BackendOptions options = options_for(small_shape(2, 1, 16, RopeLayout::adjacent), KvType::f16, 1);
  options.shape.head_dim = 24;
  const std::string error = tests::fakes::message_of([&] { make_cpu_backend(options); });
  EXPECT_NE(error.find("24"), std::string::npos) << error;
}

TEST(CpuBackendCheck, AnEmbeddingOfNansIsReportedAsNotFinite) {
  const SyntheticWeights weights({.shape = small_shape(2, 1, 16, RopeLayout::adjacent)});
  const auto backend = make_cpu_backend(options_for(weights.shape(), KvType::f16, 2));
  SyntheticModel model(weights, *backend);
  const StepPlan plan{.token_ids = {0}, .sequences = {{0, 1, 0, 0}}, .block_table = {0}, .logit_rows = {0}};
  model.forward(plan);
  const std::vector<float> nans(static_cast<std::size_t>(weights.shape().hidden_dim),
                                std::numeric_limits<float>::quiet_NaN());
  const WeightHandle norm = backend->load(VectorSource{
      {DType::f32, 1, weights.shape().hidden_dim, reinterpret_cast<const std::byte*>(nans.data())}});
  const WeightHandle head = backend->load(LinearSource{{weights.embedding}, {}});
  backend->logits(*norm, *head);
  EXPECT_FALSE(backend->sample(SamplePlan(1))[0].finite);
}

}  // namespace
}  // namespace parley::inference::backend
