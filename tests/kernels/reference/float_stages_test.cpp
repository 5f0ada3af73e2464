// Norm, rotation, attention and gate against numbers worked out by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/reference/attention.h"
#include "kernels/reference/rms_norm.h"
#include "kernels/reference/rope.h"
#include "kernels/reference/swiglu.h"

namespace parley::kernels::reference {
namespace {

using Row = std::vector<float>;

TEST(ReferenceRmsNorm, DividesByTheRootMeanSquare) {
  Row out(2);
  rms_norm(out, Row{3, 4}, Row{1, 2}, 0.0f);
  EXPECT_FLOAT_EQ(out[0], 3 / std::sqrt(12.5f));
  EXPECT_FLOAT_EQ(out[1], 8 / std::sqrt(12.5f));
}

TEST(ReferenceRmsNorm, EpsilonHoldsSmallRowsDown) {
  Row out(1);
  rms_norm(out, Row{0.0f}, Row{1}, 1e-5f);
  EXPECT_EQ(out[0], 0.0f);
  rms_norm(out, Row{3.0f}, Row{1}, 7.0f);
  EXPECT_FLOAT_EQ(out[0], 0.75f);
}

TEST(ReferenceSwiGlu, IsGateTimesItsSigmoidTimesUp) {
  Row out(3);
  swiglu(out, Row{0, 1, -200}, Row{5, 2, 1});
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_FLOAT_EQ(out[1], 2.0f / (1.0f + std::exp(-1.0f)));
  EXPECT_NEAR(out[2], 0.0f, 1e-30f);
}

TEST(ReferenceRope, RotatesAdjacentPairsOrHalvesAndLeavesTheRest) {
  const float quarter = static_cast<float>(M_PI / 2);
  Row adjacent = {1, 2, 3, 4, 5};
  rope(adjacent, 1, Row{quarter, 0}, RopePairs::adjacent);
  EXPECT_NEAR(adjacent[0], -2, 1e-6);
  EXPECT_NEAR(adjacent[1], 1, 1e-6);
  EXPECT_EQ(Row(adjacent.begin() + 2, adjacent.end()), (Row{3, 4, 5}));
  Row halves = {1, 2, 3, 4, 5};
  rope(halves, 1, Row{quarter, 0}, RopePairs::halves);
  EXPECT_NEAR(halves[0], -3, 1e-6);
  EXPECT_NEAR(halves[2], 1, 1e-6);
  EXPECT_EQ(halves[1], 2.0f);
  EXPECT_EQ(halves[4], 5.0f);
}

TEST(ReferenceRope, PositionZeroChangesNothing) {
  Row head = {1, 2, 3, 4};
  rope(head, 0, Row{1.0f, 0.1f}, RopePairs::halves);
  EXPECT_EQ(head, (Row{1, 2, 3, 4}));
}

TEST(ReferenceAttention, OneKeyGivesItsValue) {
  Row out(2);
  const Row keys = {9, -9}, values = {3, 4};
  attention(out, {Row{1, 1}, keys.data(), values.data(), 1, 2});
  EXPECT_EQ(out, (Row{3, 4}));
}

TEST(ReferenceAttention, WeighsByTheSoftmaxOfScaledScores) {
  Row out(4);
  const Row query = {2, 0, 0, 0};
  const Row keys = {1, 0, 0, 0, 0, 0, 3, 0, 0, 0};  // stride 5
  const Row values = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  attention(out, {query, keys.data(), values.data(), 2, 5});
  const float first = std::exp(1.0f) / (std::exp(1.0f) + 1.0f);  // scores 2 / sqrt(4) and 0
  EXPECT_FLOAT_EQ(out[0], first);
  EXPECT_FLOAT_EQ(out[1], 1.0f - first);
}

}  // namespace
}  // namespace parley::kernels::reference
