#pragma once
// How the attention of a step is cut into units that any thread may take.
//
// A tile is some consecutive rows of a sequence with all query heads of one KV head, so that each key and
// value is read once for all of them. A unit is a tile and a run of its spans of kSpanTokens keys. Tiles of
// few rows (decode), and all tiles when there are few, are cut span by span, so that one long sequence
// occupies every thread. Tiles of many rows go through their spans in one unit. Plain data; pure; throws
// std::bad_alloc only.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/backend/model_shape.h"
#include "inference/backend/step_plan.h"

namespace parley::inference::backend {

struct AttentionTile {
  std::int32_t first_row = 0;       // of the step
  std::int32_t num_tokens = 0;      // rows of the step; query rows are num_tokens * heads of the group
  std::int32_t first_position = 0;  // of first_row
  std::int32_t first_block = 0;     // index into StepPlan::block_table, of position 0
  std::int32_t kv_head = 0;
  std::int32_t num_spans = 0;
  bool cut = false;
  std::size_t first_state = 0;  // when cut: number of query rows in states of earlier tiles

  std::int32_t last_position() const { return first_position + num_tokens - 1; }
};

struct AttentionUnit {
  std::int32_t tile = 0;
  std::int32_t first_span = 0;
  std::int32_t last_span = 0;  // one past
};

struct AttentionPlan {
  std::vector<AttentionTile> tiles;
  std::vector<AttentionUnit> units;  // long ones first
  std::size_t num_states = 0;        // query rows of all spans of cut tiles
};

// Query rows of the largest tile.
int max_tile_rows(const ModelShape& shape);

AttentionPlan plan_attention(const std::vector<SequenceRows>& sequences, const ModelShape& shape,
                             int num_threads);

}  // namespace parley::inference::backend
