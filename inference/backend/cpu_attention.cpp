#include "inference/backend/cpu_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::inference::backend {
namespace {

using kernels::cpu::AttentionSpan;
using kernels::cpu::AttentionState;
using kernels::cpu::kSpanBlocks;
using kernels::cpu::kSpanTokens;

// Hands out pieces of a buffer, each on its own cache lines.
class Carver {
 public:
  explicit Carver(float* memory) : memory_(memory) {}
  float* take(std::size_t floats) { return std::exchange(memory_, memory_ + padded(floats)); }
  static std::size_t padded(std::size_t floats) { return (floats + 15) / 16 * 16; }

 private:
  float* memory_;
};

}  // namespace

CpuAttention::CpuAttention(const ModelShape& shape, const kernels::cpu::FloatKernels& kernels,
                           const KvCache& cache, int num_threads)
    : shape_(shape),
      kernels_(kernels),
      cache_(cache),
      num_threads_(num_threads),
      group_(shape.num_heads / shape.num_kv_heads),
      head_dim_(static_cast<std::size_t>(shape.head_dim)) {
  const std::size_t rows = static_cast<std::size_t>(max_tile_rows(shape));
  const std::size_t kernel_floats = kernels::cpu::attention_scratch_floats(shape.head_dim);
  const std::size_t of_rows = 5 * Carver::padded(rows) + 3 * Carver::padded(rows * head_dim_);
  const std::size_t floats = Carver::padded(kernel_floats) + of_rows;
  scratch_memory_ = kernels::cpu::HugeBuffer(floats * sizeof(float) * static_cast<std::size_t>(num_threads));
  Carver carver(scratch_memory_.as<float>());
  for (int i = 0; i < num_threads; ++i) {
    Scratch& scratch = scratches_.emplace_back();
    scratch.kernel = carver.take(kernel_floats);
    scratch.queries = carver.take(rows * head_dim_);
    scratch.visible = reinterpret_cast<std::int32_t*>(carver.take(rows));
    for (AttentionState* state : {&scratch.state, &scratch.next}) {
      *state = {carver.take(rows), carver.take(rows), carver.take(rows * head_dim_)};
    }
  }
}

void CpuAttention::begin_step(const StepPlan& step) {
  step_ = &step;
  plan_ = plan_attention(step.sequences, shape_, num_threads_);
  open_units_ = std::make_unique<std::atomic<std::int32_t>[]>(plan_.tiles.size());
  for (std::size_t i = 0; i < plan_.tiles.size(); ++i) open_units_[i] = plan_.tiles[i].num_spans;
  const std::size_t bytes = plan_.num_states * (head_dim_ + 2) * sizeof(float);
  if (bytes > states_.bytes()) states_ = kernels::cpu::HugeBuffer(2 * bytes);
}

void CpuAttention::begin_layer(int layer, const AttentionBuffers& buffers) {
  layer_ = layer;
  buffers_ = buffers;
  next_unit_.store(0, std::memory_order_relaxed);
}

void CpuAttention::run(int thread) {
  const Scratch& scratch = scratches_[static_cast<std::size_t>(thread)];
  while (true) {
    const std::size_t index = next_unit_.fetch_add(1, std::memory_order_relaxed);
    if (index >= plan_.units.size()) return;
    run_unit(plan_.units[index], scratch);
  }
}

void CpuAttention::run_unit(const AttentionUnit& unit, const Scratch& scratch) {
  const AttentionTile& tile = plan_.tiles[static_cast<std::size_t>(unit.tile)];
  load_queries(tile, scratch.queries);
  if (!tile.cut) {
    attend(tile, 0, scratch, scratch.state);
    for (std::int32_t span = 1; span < unit.last_span; ++span) {
      attend(tile, span, scratch, scratch.next);
      merge(tile, span, scratch.state, scratch.next);
    }
    finish(tile, scratch.state);
    return;
  }
  for (std::int32_t span = unit.first_span; span < unit.last_span; ++span) {
    attend(tile, span, scratch, span_state(tile, span));
  }
  std::atomic<std::int32_t>& open = open_units_[static_cast<std::size_t>(unit.tile)];
  if (open.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  open.store(tile.num_spans, std::memory_order_relaxed);  // for the next layer
  const AttentionState state = span_state(tile, 0);
  for (std::int32_t span = 1; span < tile.num_spans; ++span) merge(tile, span, state, span_state(tile, span));
  finish(tile, state);
}

// Query rows are in order of position, the heads of the group side by side.
void CpuAttention::load_queries(const AttentionTile& tile, float* queries) const {
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim_));
  const std::size_t group_floats = row_offset(group_);
  for (std::int32_t token = 0; token < tile.num_tokens; ++token) {
    const int row = tile.first_row + token;
    const float* source = buffers_.queries + static_cast<std::size_t>(row) * buffers_.query_stride +
                          static_cast<std::size_t>(tile.kv_head) * group_floats;
    for (std::size_t i = 0; i < group_floats; ++i) *queries++ = source[i] * scale;
  }
}

int CpuAttention::first_seeing_row(const AttentionTile& tile, std::int32_t span) const {
  return std::max(0, span * kSpanTokens - tile.first_position) * group_;
}

AttentionState CpuAttention::from_row(const AttentionState& state, int row) const {
  return {state.maxima + row, state.sums + row, state.values + row_offset(row)};
}

AttentionState CpuAttention::span_state(const AttentionTile& tile, std::int32_t span) const {
  const std::size_t rows = static_cast<std::size_t>(rows_of(tile));
  const std::size_t first = tile.first_state + static_cast<std::size_t>(span) * rows;
  float* memory = states_.as<float>() + first * (head_dim_ + 2);
  return {memory + rows * head_dim_, memory + rows * (head_dim_ + 1), memory};
}

// Where the blocks of a span lie for one KV head, and the two after them, which are fetched ahead.
CpuAttention::SpanBlocks CpuAttention::find_blocks(const AttentionTile& tile, std::int32_t span) const {
  SpanBlocks found;
  const std::size_t head_offset = static_cast<std::size_t>(tile.kv_head) * cache_.head_bytes();
  const std::int32_t* blocks = step_->block_table.data() + tile.first_block + span * kSpanBlocks;
  const int blocks_left = tile.last_position() / kBlockTokens + 1 - span * kSpanBlocks;
  found.count = std::min(blocks_left, kSpanBlocks);
  for (int b = 0; b < found.count; ++b) {
    found.values[static_cast<std::size_t>(b)] = cache_.values(blocks[b], layer_) + head_offset;
  }
  found.more = blocks_left > kSpanBlocks;
  for (int b = 0; b < found.count + (found.more ? 2 : 0); ++b) {
    const std::int32_t block = blocks[std::min(b, blocks_left - 1)];
    found.keys[static_cast<std::size_t>(b)] = cache_.keys(block, layer_) + head_offset;
  }
  return found;
}

void CpuAttention::attend(const AttentionTile& tile, std::int32_t span, const Scratch& scratch,
                          const AttentionState& out) const {
  const int first_row = first_seeing_row(tile, span);
  for (int row = first_row; row < rows_of(tile); ++row) {
    const int seen = tile.first_position + row / group_ + 1 - span * kSpanTokens;
    scratch.visible[row] = std::min(seen, kSpanTokens);
  }
  const SpanBlocks blocks = find_blocks(tile, span);
  kernels_.attend_span({.queries = scratch.queries + row_offset(first_row),
                        .keys = blocks.keys.data(),
                        .values = blocks.values.data(),
                        .next_keys = blocks.more ? blocks.keys.data() + blocks.count : nullptr,
                        .visible = scratch.visible + first_row,
                        .scratch = scratch.kernel,
                        .rows = rows_of(tile) - first_row,
                        .num_blocks = blocks.count,
                        .head_dim = shape_.head_dim,
                        .element = cache_.element()},
                       from_row(out, first_row));
}

void CpuAttention::merge(const AttentionTile& tile, std::int32_t span, const AttentionState& state,
                         const AttentionState& next) const {
  const int first = first_seeing_row(tile, span);
  kernels_.merge_spans(from_row(state, first), from_row(next, first), rows_of(tile) - first, shape_.head_dim);
}

void CpuAttention::finish(const AttentionTile& tile, const AttentionState& state) const {
  const std::size_t row_floats = static_cast<std::size_t>(shape_.num_heads) * head_dim_;
  for (int row = 0; row < rows_of(tile); ++row) {
    const int token = tile.first_row + row / group_;
    const int head = tile.kv_head * group_ + row % group_;
    kernels_.finish_attention(buffers_.out + static_cast<std::size_t>(token) * row_floats + row_offset(head),
                              state, row, shape_.head_dim);
  }
}

}  // namespace parley::inference::backend
