#include "inference/engine/step_builder.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/sequence_maker.h"

namespace parley::inference::engine {
namespace {

using Ints = std::vector<std::int32_t>;

TEST(StepBuilder, LaysOutChunksOneAfterTheOther) {
  const auto decoding = make_sequence(1, 17);
  decoding->append(55);
  decoding->num_computed = 17;
  decoding->blocks = {4, 9};
  const auto prefilling = make_sequence(2, 60);
  prefilling->num_computed = 16;
  prefilling->blocks = {4, 7, 1, 2};
  StepBuilder builder;
  const std::vector<Chunk> chunks = {{decoding.get(), 1}, {prefilling.get(), 16}};
  builder.build(chunks);
  const backend::StepPlan& plan = builder.plan();
  Ints tokens = {55};
  tokens.insert(tokens.end(), prefilling->tokens.begin() + 16, prefilling->tokens.begin() + 32);
  EXPECT_EQ(plan.token_ids, tokens);
  EXPECT_EQ(plan.block_table, (Ints{4, 9, 4, 7})) << "no block past the last position";
  ASSERT_EQ(plan.sequences.size(), 2u);
  EXPECT_EQ(plan.sequences[1].first_row, 1);
  EXPECT_EQ(plan.sequences[1].num_rows, 16);
  EXPECT_EQ(plan.sequences[1].first_position, 16);
  EXPECT_EQ(plan.sequences[1].first_block, 2);
  EXPECT_EQ(plan.logit_rows, (Ints{0})) << "an unfinished prefill draws nothing";
  EXPECT_EQ(builder.sampling().size(), 1u);
}

TEST(StepBuilder, PassesSamplingOnWithTheIndexOfTheTokenInItsAnswer) {
  Request request = toy_request({1, 2, 2}, 10);
  request.sampling = {
      .temperature = 0.5f, .top_k = 4, .top_p = 0.9f, .min_p = 0.1f, .repeat_penalty = 1.2f, .seed = 77};
  request.num_logprobs = 2;
  const auto sequence = make_sequence(1, std::move(request));
  sequence->begin(Clock::now());
  sequence->append(8);
  sequence->append(2);
  sequence->num_computed = 4;
  sequence->blocks = {0};
  StepBuilder builder;
  const std::vector<Chunk> chunks = {{sequence.get(), 1}};
  builder.build(chunks);
  const backend::SampleRow& row = builder.sampling().at(0);
  EXPECT_EQ(row.temperature, 0.5f);
  EXPECT_EQ(row.top_k, 4);
  EXPECT_EQ(row.top_p, 0.9f);
  EXPECT_EQ(row.min_p, 0.1f);
  EXPECT_EQ(row.repeat_penalty, 1.2f);
  EXPECT_EQ(row.seed, 77u);
  EXPECT_EQ(row.draw, 2u);
  EXPECT_EQ(row.num_logprobs, 2);
  ASSERT_EQ(row.seen.size(), 3u);
  EXPECT_EQ(row.seen[1].token_id, 2);
  EXPECT_EQ(row.seen[1].count, 3);
}

TEST(StepBuilder, ForgetsTheStepBefore) {
  const auto sequence = make_sequence(1, 20);
  sequence->blocks = {3, 5};
  StepBuilder builder;
  const std::vector<Chunk> chunks = {{sequence.get(), 20}};
  builder.build(chunks);
  builder.build(chunks);
  EXPECT_EQ(builder.plan().token_ids.size(), 20u);
  EXPECT_EQ(builder.plan().block_table, (Ints{3, 5}));
  EXPECT_EQ(builder.sampling().size(), 1u);
}

}  // namespace
}  // namespace parley::inference::engine
