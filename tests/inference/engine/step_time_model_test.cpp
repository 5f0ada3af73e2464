#include "inference/engine/step_time_model.h"

#include <gtest/gtest.h>

#include <random>

namespace parley::inference::engine {
namespace {

// A machine with linear step times and some noise.
struct Machine {
  double base = 0.020;
  double prefill_token = 0.004;
  double decode_row = 0.001;
  double pair = 2e-7;
  double noise = 0.05;

  double seconds(const StepLoad& load, std::mt19937_64& random) const {
    const double exact = base + prefill_token * load.prefill_tokens + decode_row * load.decode_rows +
                         pair * load.attended_pairs;
    return exact * std::uniform_real_distribution<double>(1 - noise, 1 + noise)(random);
  }
};

StepLoad load(int prefill_tokens, int decode_rows, int context) {
  return {prefill_tokens, decode_rows, attended_pairs(context, prefill_tokens) + 1.0 * decode_rows * context};
}

void watch(StepTimeModel& model, const Machine& machine, int num_steps, bool with_prefill,
           std::mt19937_64& random) {
  for (int i = 0; i < num_steps; ++i) {
    const auto drawn = static_cast<int>(random() % 8);
    const StepLoad step = load(with_prefill && i % 2 == 0 ? 8 + 8 * drawn : 0, 1 + drawn, 100 * drawn);
    model.observe(step, machine.seconds(step, random));
  }
}

TEST(StepTimeModel, AllowsTheSmallestChunkBeforeItHasSeenAny) {
  StepTimeModel model;
  EXPECT_EQ(model.largest_prefill(0.1, 0, 256), 8);
  model.observe(load(0, 4, 100), 0.03);
  EXPECT_EQ(model.largest_prefill(0.1, 0, 256), 8);
}

TEST(StepTimeModel, LearnsFromOnePrefillWithoutDecodeRows) {
  StepTimeModel model;
  const StepLoad first = load(256, 0, 0);
  model.observe(first, 1.0);
  EXPECT_NEAR(model.predict(first), 1.0, 0.05);
  const int tokens = model.largest_prefill(0.1, 0, 256);
  EXPECT_GE(tokens, 16);
  EXPECT_LE(tokens, 40);
}

TEST(StepTimeModel, PredictsALinearMachine) {
  StepTimeModel model;
  const Machine machine;
  std::mt19937_64 random(1);
  watch(model, machine, 200, true, random);
  std::mt19937_64 quiet(1);
  const Machine exact{.noise = 0.0};
  for (const StepLoad& step : {load(64, 4, 400), load(8, 1, 100), load(0, 8, 700), load(128, 8, 0)}) {
    const double expected = exact.seconds(step, quiet);
    EXPECT_NEAR(model.predict(step), expected, 0.15 * expected);
  }
}

TEST(StepTimeModel, GivesTheLargestMultipleOfEightThatFits) {
  StepTimeModel model;
  const Machine machine{.pair = 0.0, .noise = 0.0};
  std::mt19937_64 random(2);
  watch(model, machine, 200, true, random);
  EXPECT_EQ(model.largest_prefill(0.1, 0, 256), 24);  // 24 tokens add 96 ms
  EXPECT_EQ(model.largest_prefill(0.0961, 0, 256), 24);
  EXPECT_EQ(model.largest_prefill(0.2, 0, 32), 32);
  EXPECT_EQ(model.largest_prefill(0.001, 0, 256), 8) << "at least 8";
}

TEST(StepTimeModel, CutsChunksFarIntoALongContext) {
  StepTimeModel model;
  const Machine machine{.pair = 1e-6};
  std::mt19937_64 random(3);
  watch(model, machine, 400, true, random);
  EXPECT_LT(model.largest_prefill(0.1, 20000, 256), model.largest_prefill(0.1, 0, 256));
}

TEST(StepTimeModel, RemembersPrefillThroughLongDecoding) {
  StepTimeModel model;
  const Machine machine;
  std::mt19937_64 random(4);
  watch(model, machine, 100, true, random);
  watch(model, machine, 5000, false, random);
  EXPECT_NEAR(model.largest_prefill(0.1, 0, 256), 24, 8);
}

TEST(StepTimeModel, IsNotMisledByOneStalledStep) {
  StepTimeModel model;
  const Machine machine;
  std::mt19937_64 random(5);
  watch(model, machine, 100, true, random);
  const StepLoad step = load(32, 4, 100);
  const double before = model.predict(step);
  model.observe(step, 10.0);
  EXPECT_LT(model.predict(step), 1.5 * before);
}

TEST(StepTimeModel, FollowsAMachineThatBecomesSlower) {
  StepTimeModel model;
  std::mt19937_64 random(6);
  watch(model, Machine{}, 100, true, random);
  const Machine slow{.base = 0.2, .prefill_token = 0.04, .decode_row = 0.01, .pair = 2e-6};
  watch(model, slow, 200, true, random);
  EXPECT_EQ(model.largest_prefill(0.1, 0, 256), 8);
  EXPECT_NEAR(model.largest_prefill(1.0, 0, 256), 24, 8);
}

TEST(StepTimeModel, NeverPredictsThatWorkSavesTime) {
  StepTimeModel model;
  std::mt19937_64 random(7);
  for (int i = 0; i < 500; ++i) {
    const StepLoad step = load(static_cast<int>(random() % 64), static_cast<int>(random() % 16), 10);
    model.observe(step, 0.001 * static_cast<double>(random() % 100));  // nothing to learn from
    const double base = model.predict({});
    ASSERT_GE(base, 0.0);
    ASSERT_GE(model.predict(load(64, 0, 0)), base);
    ASSERT_GE(model.predict(load(0, 16, 100)), base);
  }
}

}  // namespace
}  // namespace parley::inference::engine
