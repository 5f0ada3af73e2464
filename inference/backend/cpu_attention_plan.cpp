#include "inference/backend/cpu_attention_plan.h"

#include <algorithm>

#include "kernels/cpu/float_kernels.h"

namespace parley::inference::backend {
namespace {

using kernels::cpu::kSpanTokens;

constexpr int kTileRows =
    64;  // wanted query rows of a large tile: widening a span is then a small part of its work
constexpr int kSmallRows = 16;  // tiles up to this size wait for memory rather than compute
constexpr int kTilesPerThread = 2;

int group_size(const ModelShape& shape) { return shape.num_heads / shape.num_kv_heads; }

int tile_tokens(const ModelShape& shape) { return (kTileRows + group_size(shape) - 1) / group_size(shape); }

void add_tiles(AttentionPlan& plan, const SequenceRows& sequence, const ModelShape& shape) {
  const int num_tiles = (sequence.num_rows + tile_tokens(shape) - 1) / tile_tokens(shape);
  for (int i = 0; i < num_tiles; ++i) {
    const int first = sequence.num_rows * i / num_tiles;
    AttentionTile tile{.first_row = sequence.first_row + first,
                       .num_tokens = sequence.num_rows * (i + 1) / num_tiles - first,
                       .first_position = sequence.first_position + first,
                       .first_block = sequence.first_block};
    tile.num_spans = tile.last_position() / kSpanTokens + 1;
    for (tile.kv_head = 0; tile.kv_head < shape.num_kv_heads; ++tile.kv_head) plan.tiles.push_back(tile);
  }
}

void add_units(AttentionPlan& plan, std::int32_t tile_index) {
  const AttentionTile& tile = plan.tiles[static_cast<std::size_t>(tile_index)];
  if (!tile.cut) {
    plan.units.push_back({tile_index, 0, tile.num_spans});
    return;
  }
  for (std::int32_t span = 0; span < tile.num_spans; ++span)
    plan.units.push_back({tile_index, span, span + 1});
}

}  // namespace

int max_tile_rows(const ModelShape& shape) { return tile_tokens(shape) * group_size(shape); }

AttentionPlan plan_attention(const std::vector<SequenceRows>& sequences, const ModelShape& shape,
                             int num_threads) {
  AttentionPlan plan;
  for (const SequenceRows& sequence : sequences) add_tiles(plan, sequence, shape);
  const int group = group_size(shape);
  const int enough_tiles = kTilesPerThread * num_threads;
  const bool few = plan.tiles.size() < static_cast<std::size_t>(enough_tiles);
  for (AttentionTile& tile : plan.tiles) {
    const int rows = tile.num_tokens * group;
    tile.cut = tile.num_spans > 1 && num_threads > 1 && (few || rows <= kSmallRows);
    tile.first_state = plan.num_states;
    if (tile.cut)
      plan.num_states += static_cast<std::size_t>(rows) * static_cast<std::size_t>(tile.num_spans);
    add_units(plan, static_cast<std::int32_t>(&tile - plan.tiles.data()));
  }
  const auto work = [&](const AttentionUnit& unit) {
    return plan.tiles[static_cast<std::size_t>(unit.tile)].num_tokens * (unit.last_span - unit.first_span);
  };
  std::stable_sort(plan.units.begin(), plan.units.end(),
                   [&](const AttentionUnit& a, const AttentionUnit& b) { return work(a) > work(b); });
  return plan;
}

}  // namespace parley::inference::backend
