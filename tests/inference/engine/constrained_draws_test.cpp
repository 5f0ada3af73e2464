#include "inference/engine/constrained_draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kernels/reference/sample.h"
#include "tests/fakes/toy_constraint.h"
#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {
namespace {

Request constrained(std::vector<std::int32_t> prompt, int max_tokens, int length, int rarity) {
  Request request = toy_request(std::move(prompt), max_tokens);
  request.constraint = std::make_shared<fakes::ToyConstraint>(101, length, rarity);
  return request;
}

TEST(ConstrainedDraws, GiveOnlyTokensThatTheConstraintAllows) {
  CoreHarness harness({});
  const Request request = constrained(toy_tokens(20, 1), 30, 0, 10);
  const RequestId id = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.find_wrong_answer(id), "");
  ASSERT_EQ(harness.sink(id).tokens.size(), 30u);
  const auto replay = request.constraint->clone();
  for (const std::int32_t token : harness.sink(id).tokens) {
    ASSERT_TRUE(replay->allows(token));
    replay->accept(token);
  }
  EXPECT_GT(harness.stats().constrained_draws, 10u);
  EXPECT_EQ(harness.sink(id).result->constrained_draws, harness.stats().constrained_draws);
}

TEST(ConstrainedDraws, EndTheAnswerWhenTheConstraintIsComplete) {
  CoreHarness harness({});
  const RequestId id = harness.submit(constrained(toy_tokens(20, 1), 30, 7, 10));
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(id).tokens.size(), 7u);
  EXPECT_EQ(harness.sink(id).result->reason, StopReason::stop_token);
}

TEST(ConstrainedDraws, LeaveOtherRequestsOfTheStepAlone) {
  CoreHarness harness({});
  const RequestId free = harness.submit(toy_request(toy_tokens(20, 2), 30));
  const RequestId bound = harness.submit(constrained(toy_tokens(20, 3), 30, 0, 20));
  const RequestId other = harness.submit(toy_request(toy_tokens(20, 4), 30));
  EXPECT_EQ(harness.run(), "");
  for (const RequestId id : {free, bound, other}) EXPECT_EQ(harness.find_wrong_answer(id), "");
  EXPECT_EQ(harness.sink(free).result->constrained_draws, 0);
  EXPECT_GT(harness.sink(bound).result->constrained_draws, 0);
}

TEST(ConstrainedDraws, WorkOnACopySoThatRequestsMayShareAConstraint) {
  CoreHarness harness({});
  const Request request = constrained(toy_tokens(20, 1), 30, 9, 10);
  const RequestId first = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  const RequestId second = harness.submit(request);
  EXPECT_EQ(harness.run(), "");
  EXPECT_EQ(harness.sink(first).tokens, harness.sink(second).tokens);
}

// Draws from one row of logits by the definition of sampling.
class OneRow final : public ModelRunner {
 public:
  explicit OneRow(std::vector<float> logits) : logits_(std::move(logits)) {}
  std::vector<backend::SampledToken> run(const backend::StepPlan&, const backend::SamplePlan& plan) override {
    return draw_again(plan);
  }
  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& plan) override {
    std::vector<backend::SampledToken> drawn;
    for (const backend::SampleRow& row : plan) {
      const auto sample = kernels::reference::sample(
          logits_,
          {.temperature = row.temperature, .allowed = row.allowed, .seed = row.seed, .draw = row.draw});
      backend::SampledToken token;
      token.token_id = sample.token_id;
      drawn.push_back(token);
    }
    return drawn;
  }

 private:
  std::vector<float> logits_;
};

// A set of tokens, the same at each place.
class OneOf final : public grammar::TokenConstraint {
 public:
  explicit OneOf(std::uint64_t bits) : bits_(bits) {}
  bool allows(std::int32_t token) const override { return (bits_ >> token & 1) != 0; }
  void accept(std::int32_t) override {}
  void fill_mask(std::span<std::uint64_t> mask) override { mask[0] = bits_; }
  std::string forced_bytes() const override { return {}; }
  bool is_complete() const override { return false; }
  std::unique_ptr<TokenConstraint> clone() const override { return std::make_unique<OneOf>(*this); }

 private:
  std::uint64_t bits_;
};

TEST(ConstrainedDraws, AreExactlyTheMaskedDistribution) {
  const std::vector<float> logits = {std::log(4.0f), std::log(3.0f), std::log(2.0f), std::log(1.0f)};
  OneRow runner(logits);
  Sequence sequence({1, constrained({5}, 10, 0, 1), nullptr, {}}, {});
  sequence.constraint = std::make_unique<OneOf>(0b1010);
  const Chunk chunk{&sequence, 1};
  ConstrainedDraws draws(4);
  std::map<std::int32_t, int> counts;
  constexpr int kDraws = 8000;
  for (int i = 0; i < kDraws; ++i) {
    backend::SamplePlan plan(1);
    plan[0].temperature = 1.0f;
    plan[0].draw = static_cast<std::uint64_t>(i);
    auto drawn = runner.run({}, plan);
    draws.correct(std::span(&chunk, 1), plan, runner, drawn);
    ++counts[drawn[0].token_id];
  }
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_NEAR(counts[1], kDraws * 3 / 4, 4 * std::sqrt(kDraws * 3 / 16));
}

}  // namespace
}  // namespace parley::inference::engine
