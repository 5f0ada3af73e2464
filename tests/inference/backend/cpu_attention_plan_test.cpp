#include "inference/backend/cpu_attention_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "kernels/cpu/float_kernels.h"

namespace parley::inference::backend {
namespace {

ModelShape shape_with(int num_heads, int num_kv_heads) {
  ModelShape shape;
  shape.num_heads = num_heads;
  shape.num_kv_heads = num_kv_heads;
  return shape;
}

// Every row of every sequence is in one tile of each KV head, and every span of a tile in one unit.
void expect_complete(const AttentionPlan& plan, const std::vector<SequenceRows>& sequences,
                     const ModelShape& shape) {
  std::map<std::pair<int, int>, int> rows;  // of (row, KV head)
  for (const AttentionTile& tile : plan.tiles) {
    EXPECT_LE(tile.num_tokens * shape.num_heads / shape.num_kv_heads, max_tile_rows(shape));
    EXPECT_EQ(tile.num_spans, tile.last_position() / kernels::cpu::kSpanTokens + 1);
    for (int i = 0; i < tile.num_tokens; ++i) ++rows[{tile.first_row + i, tile.kv_head}];
  }
  std::size_t expected = 0;
  for (const SequenceRows& sequence : sequences) {
    expected += static_cast<std::size_t>(sequence.num_rows * shape.num_kv_heads);
  }
  EXPECT_EQ(rows.size(), expected);
  for (const auto& [row, count] : rows) EXPECT_EQ(count, 1);
  std::map<std::pair<int, int>, int> spans;  // of (tile, span)
  for (const AttentionUnit& unit : plan.units) {
    for (int span = unit.first_span; span < unit.last_span; ++span) ++spans[{unit.tile, span}];
  }
  expected = 0;
  for (const AttentionTile& tile : plan.tiles) expected += static_cast<std::size_t>(tile.num_spans);
  EXPECT_EQ(spans.size(), expected);
  for (const auto& [span, count] : spans) EXPECT_EQ(count, 1);
}

TEST(AttentionPlan, CoversEveryRowAndSpanOnce) {
  for (const auto& [heads, kv_heads] :
       std::vector<std::pair<int, int>>{{1, 1}, {9, 3}, {14, 2}, {12, 2}, {71, 1}, {8, 8}}) {
    const ModelShape shape = shape_with(heads, kv_heads);
    for (const int threads : {1, 2, 5}) {
      for (const std::vector<SequenceRows>& sequences : {std::vector<SequenceRows>{},
                                                         {{0, 1, 0, 0}},
                                                         {{0, 1, 8191, 0}},
                                                         {{0, 256, 0, 0}},
                                                         {{0, 255, 4000, 0}, {255, 1, 77, 300}}}) {
        expect_complete(plan_attention(sequences, shape, threads), sequences, shape);
      }
    }
  }
}

TEST(AttentionPlan, OneLongSequenceOccupiesAllThreads) {
  const AttentionPlan plan = plan_attention({{0, 1, 8191, 0}}, shape_with(14, 2), 2);
  EXPECT_EQ(plan.tiles.size(), 2u);
  EXPECT_EQ(plan.units.size(), 64u);
  EXPECT_EQ(plan.num_states, 2u * 32u * 7u);
}

TEST(AttentionPlan, StatesOfCutTilesDoNotOverlap) {
  const AttentionPlan plan =
      plan_attention({{0, 1, 600, 0}, {1, 2, 5000, 40}, {3, 1, 10, 400}}, shape_with(9, 3), 2);
  std::size_t next = 0;
  for (const AttentionTile& tile : plan.tiles) {
    EXPECT_EQ(tile.first_state, next);
    EXPECT_EQ(tile.cut, tile.num_spans > 1);
    if (tile.cut) next += static_cast<std::size_t>(tile.num_tokens * 3 * tile.num_spans);
  }
  EXPECT_EQ(plan.num_states, next);
}

TEST(AttentionPlan, AStepWithoutRowsHasNoUnits) {
  const AttentionPlan plan = plan_attention({}, shape_with(2, 1), 2);
  EXPECT_TRUE(plan.tiles.empty());
  EXPECT_TRUE(plan.units.empty());
  EXPECT_EQ(plan.num_states, 0u);
}

TEST(AttentionPlan, LongUnitsComeFirst) {
  const ModelShape shape = shape_with(14, 2);
  const AttentionPlan plan = plan_attention({{0, 256, 1000, 0}}, shape, 2);
  int last = 1 << 30;
  for (const AttentionUnit& unit : plan.units) {
    const int work =
        plan.tiles[static_cast<std::size_t>(unit.tile)].num_tokens * (unit.last_span - unit.first_span);
    EXPECT_LE(work, last);
    last = work;
  }
}

}  // namespace
}  // namespace parley::inference::backend
