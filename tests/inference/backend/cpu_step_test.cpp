#include "inference/backend/cpu_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parley::inference::backend {
namespace {

ModelShape shape_with(RopeLayout layout) {
  ModelShape shape;
  shape.head_dim = 16;
  shape.rope_layout = layout;
  shape.rope_inverse_frequencies = {1.0f, 0.25f};
  return shape;
}

TEST(CpuStep, KnowsPositionAndBlockOfEachRow) {
  const ModelShape shape = shape_with(RopeLayout::adjacent);
  CpuStep step(shape, 8);
  step.begin({.token_ids = {5, 6, 7, 8},
              .sequences = {{0, 3, 15, 0}, {3, 1, 0, 2}},
              .block_table = {9, 4, 1},
              .logit_rows = {}},
             10);
  ASSERT_EQ(step.num_rows(), 4);
  EXPECT_EQ(std::vector<int>({step.position(0), step.position(1), step.position(2), step.position(3)}),
            (std::vector<int>{15, 16, 17, 0}));
  EXPECT_EQ(std::vector<int>({step.block(0), step.block(1), step.block(2), step.block(3)}),
            (std::vector<int>{9, 4, 4, 1}));
}

TEST(CpuStep, FactorsFollowTheLayout) {
  for (const RopeLayout layout : {RopeLayout::adjacent, RopeLayout::halves}) {
    const ModelShape shape = shape_with(layout);
    CpuStep step(shape, 2);
    step.begin({.token_ids = {5, 5}, .sequences = {{0, 2, 2, 0}}, .block_table = {0}, .logit_rows = {}}, 1);
    step.prepare_rope(0);
    step.prepare_rope(1);
    std::vector<float> heads(16);
    const kernels::cpu::RopeRow row = step.rope(1, heads.data(), 1);
    EXPECT_EQ(row.rope_dim, 4);
    const bool adjacent = layout == RopeLayout::adjacent;
    const int second_of_first_pair = adjacent ? 1 : 2;
    const int first_of_second_pair = adjacent ? 2 : 1;
    EXPECT_FLOAT_EQ(row.cosines[0], std::cos(3.0f));
    EXPECT_FLOAT_EQ(row.sines[0], -std::sin(3.0f));
    EXPECT_FLOAT_EQ(row.sines[second_of_first_pair], std::sin(3.0f));
    EXPECT_FLOAT_EQ(row.cosines[first_of_second_pair], std::cos(0.75f));
    EXPECT_FLOAT_EQ(row.sines[3], std::sin(0.75f));
  }
}

}  // namespace
}  // namespace parley::inference::backend
