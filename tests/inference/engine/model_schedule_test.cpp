// Exactness with a real forward pass: a tiny random model on the CPU backend gives the same tokens and bit
// for bit the same logprobs to a request that is alone and to one that is chunked, batched, cached and
// preempted.

#include <gtest/gtest.h>

#include "inference/backend/backend.h"
#include "inference/engine/engine_core.h"
#include "inference/formats/gguf.h"
#include "inference/model/model_config.h"
#include "inference/model/transformer.h"
#include "tests/fakes/temp_directory.h"
#include "tests/fakes/tiny_model.h"
#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {
namespace {

// A model, its backend and KV memory of its own.
class RealRunner final : public ModelRunner {
 public:
  RealRunner(const formats::GgufFile& file, const EngineOptions& options) {
    backend::BackendOptions wanted;
    wanted.shape = model::read_model_config(file).shape;
    wanted.num_blocks = options.num_blocks;
    wanted.max_rows = options.scheduling.max_step_tokens;
    backend_ = backend::make_cpu_backend(wanted);
    transformer_ = model::make_transformer(file, *backend_, {});
  }
  std::vector<backend::SampledToken> run(const backend::StepPlan& plan,
                                         const backend::SamplePlan& sampling) override {
    return transformer_->forward(plan, sampling);
  }
  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& sampling) override {
    return transformer_->draw_again(sampling);
  }

 private:
  std::unique_ptr<backend::Backend> backend_;
  std::unique_ptr<model::Transformer> transformer_;
};

struct Outcome {
  std::vector<std::int32_t> tokens;
  std::vector<float> logprobs;
  bool operator==(const Outcome&) const = default;
};

class ModelScheduleTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto path = directory_.path() / "tiny.gguf";
    const bool biased = GetParam() == std::string("qwen2");
    fakes::TinyModel({.architecture = GetParam(),
                      .hidden_dim = 64,
                      .ffn_dim = 96,
                      .vocab_size = 101,
                      .qkv_biases = biased})
        .writer()
        .write(path);
    file_ = formats::open_gguf(path);
  }

  // Runs all requests together; `arrival` steps apart.
  std::vector<Outcome> run(const std::vector<Request>& requests, const EngineOptions& options, int arrival) {
    EngineCore core(std::make_unique<RealRunner>(*file_, options), options);
    std::vector<std::shared_ptr<fakes::RecordingSink>> sinks;
    for (int step = 0; sinks.size() < requests.size() || core.has_work(); ++step) {
      if (sinks.size() < requests.size() && step % arrival == 0) {
        sinks.push_back(std::make_shared<fakes::RecordingSink>());
        core.add({sinks.size(), requests[sinks.size() - 1], sinks.back(), Clock::now()});
      }
      if (core.has_work()) core.step();
      core.deliver();
    }
    stats_ = core.stats();
    std::vector<Outcome> outcomes;
    for (const auto& sink : sinks) {
      outcomes.emplace_back();
      for (const GeneratedToken& token : sink->generated) {
        outcomes.back().tokens.push_back(token.token_id);
        outcomes.back().logprobs.push_back(token.logprob);
      }
    }
    return outcomes;
  }

  // Two families of prompts with common prefixes, greedy and sampled, some with a repetition penalty.
  static std::vector<Request> requests() {
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 12; ++i) {
      const std::vector<std::int32_t> base = toy_tokens(90, i % 2);
      std::vector<std::int32_t> prompt(base.begin(), base.begin() + 30 + static_cast<std::ptrdiff_t>(5 * i));
      prompt.push_back(static_cast<std::int32_t>(i));
      Request request = toy_request(std::move(prompt), 40);
      request.sampling.temperature = i % 3 == 0 ? 0.0f : 0.9f;
      request.sampling.repeat_penalty = i % 4 == 0 ? 1.2f : 1.0f;
      request.sampling.seed = i;
      request.num_logprobs = 0;
      requests.push_back(std::move(request));
    }
    return requests;
  }

  tests::fakes::TempDirectory directory_;
  std::unique_ptr<formats::GgufFile> file_;
  EngineStats stats_;
};

TEST_P(ModelScheduleTest, NoScheduleChangesABit) {
  const std::vector<Request> all = requests();
  std::vector<Outcome> alone;
  for (const Request& request : all) {
    alone.push_back(run({request}, {.num_blocks = 64, .max_context = 250, .vocab_size = 101}, 1).front());
    ASSERT_EQ(alone.back().tokens.size(), 40u);
  }
  const EngineOptions tight{.num_blocks = 18,
                            .max_context = 250,
                            .vocab_size = 101,
                            .scheduling = {.max_sequences = 6, .max_step_tokens = 24}};
  EXPECT_EQ(run(all, tight, 2), alone);
  EXPECT_GT(stats_.preemptions, 0u);
  EXPECT_GT(stats_.cached_tokens, 0u);
  const EngineOptions wide{
      .num_blocks = 400, .max_context = 250, .vocab_size = 101, .scheduling = {.max_sequences = 12}};
  EXPECT_EQ(run(all, wide, 1), alone);
  EXPECT_EQ(stats_.preemptions, 0u);
}

INSTANTIATE_TEST_SUITE_P(Architectures, ModelScheduleTest, testing::Values("llama", "qwen2"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace parley::inference::engine
