#include "app/cli/bench_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <boost/json.hpp>

#include "tests/fakes/scripted_engine.h"

namespace parley::app::cli {
namespace {

// The scripted engine says that the first token took 10 ms and each of them 100 ms more.
class BenchRunsTest : public testing::Test {
 protected:
  BenchRunsTest() { engine_.max_context = 300; }

  static fakes::EngineScript as_many_as_asked(const inference::engine::Request& request) {
    std::vector<std::int32_t> ids(static_cast<std::size_t>(request.max_tokens));
    std::iota(ids.begin(), ids.end(), 0);
    fakes::EngineScript script;
    script.tokens = fakes::scripted_tokens(ids);
    return script;
  }

  fakes::ScriptedEngine engine_{as_many_as_asked};
};

TEST_F(BenchRunsTest, DerivesRatesFromTheEnginesTimes) {
  BenchPlan plan;
  plan.prompt = 50;
  plan.gen = 5;
  plan.depths = {0, 100};
  const auto report = run_plan(engine_, plan, 1000);
  const auto& prefill = report.at("prefill").as_object();
  EXPECT_EQ(prefill.at("prompt_tokens"), 50);
  EXPECT_NEAR(prefill.at("prefill_tokens_per_second").as_double(), 50 / 0.010, 1e-6);
  EXPECT_NEAR(prefill.at("ttft_cold_ms").as_double(), 10, 1e-9);
  ASSERT_EQ(report.at("decode").as_array().size(), 2u);
  for (const auto& row : report.at("decode").as_array()) {
    EXPECT_NEAR(row.at("decode_tokens_per_second").as_double(), 4 / 0.5, 1e-9);
  }
}

TEST_F(BenchRunsTest, LeavesOutDepthsBeyondTheContext) {
  BenchPlan plan;
  plan.prompt = 1;
  plan.gen = 50;
  plan.depths = {250, 251};
  const auto report = run_plan(engine_, plan, 1000);
  ASSERT_EQ(report.at("decode").as_array().size(), 1u);
  EXPECT_EQ(report.at("decode").at(0).at("depth"), 250);
  EXPECT_EQ(report.at("skipped_depths").as_array(), (boost::json::array{251}));
}

TEST_F(BenchRunsTest, RunsABatchOfDifferentShortPrompts) {
  BenchPlan plan;
  plan.prompt = 1;
  plan.gen = 20;
  plan.batches = {3};
  const auto report = run_plan(engine_, plan, 1000);
  EXPECT_EQ(report.at("batch").at(0).at("batch"), 3);
  const std::size_t first = 6;  // behind the six of the prefill
  for (std::size_t i = first; i < first + 3; ++i) {
    EXPECT_EQ(engine_.request(i).prompt.size(), static_cast<std::size_t>(kBatchPrompt));
    EXPECT_EQ(engine_.request(i).max_tokens, 20);
    if (i > first) {
      EXPECT_NE(engine_.request(i).prompt, engine_.request(first).prompt);
    }
  }
}

TEST_F(BenchRunsTest, PromptsAreOfTheVocabularyAndDifferUnlessRepeated) {
  for (const int vocab_size : {64, 1000}) {
    BenchPlan plan;
    plan.prompt = 40;
    plan.gen = 2;
    const std::size_t begin = vocab_size == 64 ? 0 : 6;
    run_plan(engine_, plan, vocab_size);
    const auto cold = engine_.request(begin).prompt;
    EXPECT_EQ(engine_.request(begin + 1).prompt, cold) << "cached: the same again";
    EXPECT_NE(engine_.request(begin + 2).prompt, cold);
    EXPECT_GE(*std::min_element(cold.begin(), cold.end()), std::min(100, vocab_size / 2));
    EXPECT_LT(*std::max_element(cold.begin(), cold.end()), vocab_size);
  }
}

TEST_F(BenchRunsTest, TellsTheRateOfOnePrompt) {
  EXPECT_NEAR(prefill_rate(engine_, 50, 1000), 50 / 0.010, 1e-6);
  EXPECT_EQ(engine_.request(1).prompt.size(), 50u);
  EXPECT_NE(engine_.request(0).prompt.front(), engine_.request(1).prompt.front())
      << "a hit would be no measure";
}

}  // namespace
}  // namespace parley::app::cli
