// Each stage of the oracle against numbers worked out by hand.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "inference/backend/backend.h"
#include "kernels/dtypes/half.h"

namespace parley::inference::backend {
namespace {

using kernels::dtypes::DType;
using kernels::dtypes::MatrixView;

MatrixView view(const std::vector<float>& values, std::int64_t rows) {
  return {.dtype = DType::f32,
          .rows = rows,
          .columns = static_cast<std::int64_t>(values.size()) / rows,
          .data = reinterpret_cast<const std::byte*>(values.data())};
}

// Two layers, 2 heads of 2 on one KV head, 4 wide. The embedding of token t is (t, t, t, t) unless given.
class ReferenceBackendTest : public testing::Test {
 protected:
  ReferenceBackendTest() {
    options_.shape = {.num_layers = 2,
                      .hidden_dim = 4,
                      .num_heads = 2,
                      .num_kv_heads = 1,
                      .head_dim = 2,
                      .ffn_dim = 2,
                      .vocab_size = 6,
                      .norm_epsilon = 0.0F,
                      .rope_layout = RopeLayout::adjacent,
                      .rope_inverse_frequencies = {0.0F}};
    options_.num_blocks = 8;
    make();
  }

  void make() {
    backend_ = make_reference_backend(options_);
    table_ = linear(embedding_, 6);
    norm_ = backend_->load(VectorSource{view(ones_, 1)});
  }

  WeightHandle linear(const std::vector<float>& values, std::int64_t rows) {
    return backend_->load(LinearSource{.parts = {view(values, rows)}, .biases = {}});
  }

  static StepPlan plan(std::vector<std::int32_t> ids, std::int32_t first_position = 0) {
    StepPlan plan;
    plan.sequences = {{.first_row = 0,
                       .num_rows = static_cast<std::int32_t>(ids.size()),
                       .first_position = first_position,
                       .first_block = 0}};
    plan.block_table = {5, 2, 7};
    plan.token_ids = std::move(ids);
    return plan;
  }

  // The hidden state of a logits row, normed.
  std::vector<float> normed_hidden(int index) {
    const WeightHandle head = linear({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 4);
    backend_->logits(*norm_, *head);
    return backend_->read_logits(index);
  }

  std::vector<float> embedding_ = {0, 0, 0, 0, 1, 2, 3, 4, 3, 4, 0, 0, 0, 5, 0, 0, 2, 2, 2, 2, 1, -1, 1, -1};
  std::vector<float> ones_ = {1, 1, 1, 1};
  BackendOptions options_;
  std::unique_ptr<Backend> backend_;
  WeightHandle table_;
  WeightHandle norm_;
};

TEST_F(ReferenceBackendTest, logits_are_the_product_with_the_normed_hidden_state) {
  const std::vector<float> norm_values = {1, 2, 1, 1};
  const WeightHandle norm = backend_->load(VectorSource{view(norm_values, 1)});
  const WeightHandle head = linear({1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 7}, 3);
  StepPlan step = plan({1, 2, 4});
  step.logit_rows = {1, 2};
  backend_->embed(step, *table_);
  backend_->logits(*norm, *head);
  // Token 2 is (3, 4, 0, 0): root mean square 2.5.
  EXPECT_EQ(backend_->read_logits(0), (std::vector<float>{1.2F, 4.4F, 0}));
  EXPECT_EQ(backend_->read_logits(1), (std::vector<float>{1, 3, 7}));
}

TEST_F(ReferenceBackendTest, weights_are_copies_that_outlive_their_source) {
  std::vector<float> head_values = {1, 0, 0, 0};
  const WeightHandle head = linear(head_values, 1);
  head_values.assign(4, 9);
  embedding_.assign(embedding_.size(), 9);
  ones_.assign(4, 9);
  StepPlan step = plan({2});
  step.logit_rows = {0};
  backend_->embed(step, *table_);
  backend_->logits(*norm_, *head);
  EXPECT_EQ(backend_->read_logits(0), (std::vector<float>{1.2F})) << "token 2 is (3, 4, 0, 0)";
}

TEST_F(ReferenceBackendTest, rows_without_a_token_are_never_drawn_nor_listed) {
  options_.shape.num_tokens = 2;
  make();
  // Token 5 is (1, -1, 1, -1): logits 1, 2, then 100 and -100 for ids that have no token.
  const WeightHandle head = linear({1, 0, 0, 0, 2, 0, 0, 0, 100, 0, 0, 0, 0, 100, 0, 0}, 4);
  StepPlan step = plan({5});
  step.logit_rows = {0};
  backend_->embed(step, *table_);
  backend_->logits(*norm_, *head);
  const std::vector<TokenCount> seen = {{1, 1}, {2, 1}, {5, 1}};
  const SampledToken drawn =
      backend_->sample({{.repeat_penalty = 4.0F, .seen = seen, .num_logprobs = 4}}).at(0);
  EXPECT_TRUE(drawn.finite);
  EXPECT_EQ(drawn.token_id, 0) << "1 beats 2 / 4";
  ASSERT_EQ(drawn.top.size(), 2u);
  EXPECT_EQ(drawn.top[0].token_id, 1);
  EXPECT_NEAR(drawn.top[0].logprob, -std::log1p(std::exp(-1.0)), 1e-6) << "of the two that exist";
  EXPECT_EQ(drawn.top[1].token_id, 0);
}

TEST_F(ReferenceBackendTest, epsilon_keeps_a_zero_row_finite) {
  options_.shape.norm_epsilon = 1e-5F;
  make();
  const WeightHandle head = linear({1, 1, 1, 1}, 1);
  StepPlan step = plan({0});
  step.logit_rows = {0};
  backend_->embed(step, *table_);
  backend_->logits(*norm_, *head);
  EXPECT_EQ(backend_->read_logits(0), (std::vector<float>{0}));
}

TEST_F(ReferenceBackendTest, stacked_parts_may_differ_in_type_and_have_biases) {
  const std::vector<float> first = {1, 0, 0, 0};
  std::array<std::uint16_t, 4> second{};
  second[1] = kernels::dtypes::float_to_half(3.0F);
  const MatrixView half{.dtype = DType::f16,
                        .rows = 1,
                        .columns = 4,
                        .data = reinterpret_cast<const std::byte*>(second.data())};
  const std::vector<float> first_bias = {0.5F};
  const std::vector<float> second_bias = {-1};
  const WeightHandle head = backend_->load(
      LinearSource{.parts = {view(first, 1), half}, .biases = {view(first_bias, 1), view(second_bias, 1)}});
  StepPlan step = plan({4});
  step.logit_rows = {0};
  backend_->embed(step, *table_);
  backend_->logits(*norm_, *head);
  EXPECT_EQ(backend_->read_logits(0), (std::vector<float>{1.5F, 2}));
}

TEST_F(ReferenceBackendTest, swiglu_and_linear_add_change_the_residual_stream) {
  // Token 4 normed is (1, 1, 1, 1): gates (2, -1), ups (3, 5).
  const WeightHandle gate_up = linear({2, 0, 0, 0, -1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0}, 4);
  const WeightHandle down = linear({1, 0, 0, 1, 0, 0, 0, 0}, 4);
  StepPlan step = plan({4});
  step.logit_rows = {0};
  backend_->embed(step, *table_);
  backend_->norm_linear(*norm_, *gate_up, Activation::gate_up);
  backend_->swiglu();
  backend_->linear_add(*down, Activation::ffn);
  const double ffn[] = {2 / (1 + std::exp(-2.0)) * 3, -1 / (1 + std::exp(1.0)) * 5};
  const double hidden[] = {2 + ffn[0], 2 + ffn[1], 2, 2};
  double square = 0;
  for (const double value : hidden) square += value * value;
  const std::vector<float> normed = normed_hidden(0);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(normed[i], hidden[i] / std::sqrt(square / 4));
}

// Products that make q, k and v of the hidden state by hand: both heads' queries zero, so that all keys weigh
// the same and the output is the mean of the values; v is the first two normed values.
TEST_F(ReferenceBackendTest, attention_reads_all_earlier_positions_through_the_block_table) {
  std::vector<float> rows(8 * 4, 0.0F);
  rows[6 * 4] = 1;      // v[0] = normed[0]
  rows[7 * 4 + 1] = 1;  // v[1] = normed[1]
  const WeightHandle qkv = linear(rows, 8);
  const WeightHandle output = linear({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, 4);
  // 18 positions reach into the second block; the last step is a single decode row.
  std::vector<std::int32_t> ids(18, 3);
  ids[0] = 2;
  StepPlan first = plan({ids.begin(), ids.end() - 1});
  backend_->embed(first, *table_);
  backend_->norm_linear(*norm_, *qkv, Activation::qkv);
  backend_->rope_store_kv(1);
  StepPlan last = plan({3}, 17);
  last.logit_rows = {0};
  backend_->embed(last, *table_);
  backend_->norm_linear(*norm_, *qkv, Activation::qkv);
  backend_->rope_store_kv(1);
  backend_->attention(1);
  backend_->linear_add(*output, Activation::attention);
  // Values: token 2 is (1.2, 1.6), token 3 is (0, 2). The mean's first part is 1.2 / 18, added to (0, 5, 0,
  // 0).
  const double mean = 1.2 / 18;
  const double square = mean * mean * 2 + 25;
  const std::vector<float> normed = normed_hidden(0);
  EXPECT_FLOAT_EQ(normed[0], mean / std::sqrt(square / 4));
  EXPECT_FLOAT_EQ(normed[2], mean / std::sqrt(square / 4)) << "second head";
}

TEST_F(ReferenceBackendTest, rows_attend_to_no_later_position) {
  std::vector<float> rows(8 * 4, 0.0F);
  rows[6 * 4] = 1;
  const WeightHandle qkv = linear(rows, 8);
  const WeightHandle output = linear({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4);
  StepPlan step = plan({3, 2});
  step.logit_rows = {0, 1};
  backend_->embed(step, *table_);
  backend_->norm_linear(*norm_, *qkv, Activation::qkv);
  backend_->rope_store_kv(0);
  backend_->attention(0);
  backend_->linear_add(*output, Activation::attention);
  EXPECT_EQ(normed_hidden(0)[0], 0.0F) << "the second token is not seen by the first";
  const double first = 3 + 0.6;  // half of token 2's 1.2
  EXPECT_FLOAT_EQ(normed_hidden(1)[0], first / std::sqrt((first * first + 16) / 4));
}

// One pair a head, a right angle for each position: at position 1 q and k (1, 0) become (0, 1).
TEST_F(ReferenceBackendTest, rotates_queries_and_keys_by_their_position) {
  options_.shape.rope_inverse_frequencies = {1.5707964F};
  make();
  std::vector<float> rows(8 * 4, 0.0F);
  rows[0] = 50;     // first head's q is 50 times the first normed value
  rows[4 * 4] = 1;  // k likewise, once
  rows[6 * 4] = 1;  // v as well
  const WeightHandle qkv = linear(rows, 8);
  const WeightHandle output = linear({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4);
  // Token 2 is (1.2, 1.6, 0, 0) normed, token 1 starts with 1 / sqrt(7.5).
  StepPlan step = plan({2, 1, 2});
  step.logit_rows = {1, 2};
  backend_->embed(step, *table_);
  backend_->norm_linear(*norm_, *qkv, Activation::qkv);
  backend_->rope_store_kv(0);
  backend_->attention(0);
  backend_->linear_add(*output, Activation::attention);
  // Row 1: the key of position 0 is at a right angle, its own is not: nearly all weight on its own value.
  const double own = 1 / std::sqrt(7.5);
  const double own_weight = 1 / (1 + std::exp(-50 * own * own / std::sqrt(2)));
  const double first = 1 + own_weight * own + (1 - own_weight) * 1.2;
  EXPECT_FLOAT_EQ(normed_hidden(0)[0], first / std::sqrt((first * first + 4 + 9 + 16) / 4));
  // Row 2: the key of position 0 points away, that of position 1 is at a right angle: its own again.
  const double third = 3 + 1.2;
  EXPECT_FLOAT_EQ(normed_hidden(1)[0], third / std::sqrt((third * third + 16) / 4));
}

TEST_F(ReferenceBackendTest, samples_each_row_by_its_own_plan) {
  const WeightHandle head = linear({1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, 3);
  StepPlan step = plan({2, 1, 4});
  step.logit_rows = {0, 2};
  backend_->embed(step, *table_);
  backend_->logits(*norm_, *head);
  const std::vector<TokenCount> seen = {{.token_id = 0, .count = 1}};
  SamplePlan sampling(2);
  sampling[1].logits_row = 1;
  sampling[0].num_logprobs = 2;  // logits (1.2, 1.6, 1.6)
  sampling[1].repeat_penalty = 2;
  sampling[1].seen = seen;  // logits (1, 1, 1)
  const std::vector<SampledToken> tokens = backend_->sample(sampling);
  ASSERT_EQ(tokens.size(), 2U);
  EXPECT_EQ(tokens[0].token_id, 1) << "greedy takes the lowest id among equals";
  ASSERT_EQ(tokens[0].top.size(), 2U);
  EXPECT_EQ(tokens[0].top[1].token_id, 2);
  EXPECT_FLOAT_EQ(tokens[0].logprob, -std::log(2 + std::exp(-0.4)));
  EXPECT_EQ(tokens[1].token_id, 1) << "token 0 was seen";
  EXPECT_TRUE(tokens[1].top.empty());
}

TEST_F(ReferenceBackendTest, says_when_logits_are_not_finite) {
  const WeightHandle head = linear({std::numeric_limits<float>::quiet_NaN(), 0, 0, 0, 0, 1, 0, 0}, 2);
  StepPlan step = plan({4});
  step.logit_rows = {0};
  backend_->embed(step, *table_);
  backend_->logits(*norm_, *head);
  const std::vector<SampledToken> tokens = backend_->sample(SamplePlan(1));
  EXPECT_FALSE(tokens[0].finite);
  EXPECT_EQ(tokens[0].token_id, -1);
}

}  // namespace
}  // namespace parley::inference::backend
