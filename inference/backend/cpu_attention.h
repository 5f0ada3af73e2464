#pragma once
// Attention of a step over the paged KV cache, unit by unit (cpu_attention_plan.h). The thread that ends a
// tile's last unit joins its spans, in ascending order like a tile that was not cut, so the result does not
// depend on the cut, on the batch, or on the threads (kernels/README.md, "Exactness").
//
// begin_step() and begin_layer() by the engine's thread, then run() by every thread of a job, each with its
// own index. begin_step() throws std::bad_alloc when memory cannot be had.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "inference/backend/cpu_attention_plan.h"
#include "inference/backend/kv_cache.h"
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/huge_buffer.h"

namespace parley::inference::backend {

struct AttentionBuffers {
  const float* queries = nullptr;  // [rows, heads * head_dim], query_stride floats from row to row
  std::size_t query_stride = 0;
  float* out = nullptr;  // [rows, heads * head_dim]
};

class CpuAttention {
 public:
  CpuAttention(const ModelShape& shape, const kernels::cpu::FloatKernels& kernels, const KvCache& cache,
               int num_threads);

  // `step` stays in place until the next one begins.
  void begin_step(const StepPlan& step);
  void begin_layer(int layer, const AttentionBuffers& buffers);
  void run(int thread);

 private:
  // Working memory of a thread, and of a cut tile's spans.
  struct Scratch {
    float* queries = nullptr;  // [max tile rows, head_dim]
    float* kernel = nullptr;
    std::int32_t* visible = nullptr;  // [max tile rows]
    kernels::cpu::AttentionState state;
    kernels::cpu::AttentionState next;
  };

  struct SpanBlocks {
    std::array<const void*, kernels::cpu::kSpanBlocks + 2> keys;
    std::array<const void*, kernels::cpu::kSpanBlocks> values;
    int count = 0;
    bool more = false;  // behind `count` keys are the first two of the next span
  };

  int rows_of(const AttentionTile& tile) const { return tile.num_tokens * group_; }
  std::size_t row_offset(int row) const { return static_cast<std::size_t>(row) * head_dim_; }
  kernels::cpu::AttentionState span_state(const AttentionTile& tile, std::int32_t span) const;
  kernels::cpu::AttentionState from_row(const kernels::cpu::AttentionState& state, int row) const;
  int first_seeing_row(const AttentionTile& tile, std::int32_t span) const;

  void run_unit(const AttentionUnit& unit, const Scratch& scratch);
  void load_queries(const AttentionTile& tile, float* queries) const;
  SpanBlocks find_blocks(const AttentionTile& tile, std::int32_t span) const;
  void attend(const AttentionTile& tile, std::int32_t span, const Scratch& scratch,
              const kernels::cpu::AttentionState& out) const;
  void merge(const AttentionTile& tile, std::int32_t span, const kernels::cpu::AttentionState& state,
             const kernels::cpu::AttentionState& next) const;
  void finish(const AttentionTile& tile, const kernels::cpu::AttentionState& state) const;

  const ModelShape& shape_;
  const kernels::cpu::FloatKernels& kernels_;
  const KvCache& cache_;
  const int num_threads_;
  const int group_;  // query heads of a KV head
  const std::size_t head_dim_;

  const StepPlan* step_ = nullptr;
  AttentionPlan plan_;
  int layer_ = 0;
  AttentionBuffers buffers_;
  std::unique_ptr<std::atomic<std::int32_t>[]> open_units_;  // [tiles] not yet done in this layer
  kernels::cpu::HugeBuffer states_;                          // [plan_.num_states] of maximum, sum, values
  kernels::cpu::HugeBuffer scratch_memory_;
  std::vector<Scratch> scratches_;  // [threads]
  alignas(64) std::atomic<std::size_t> next_unit_{0};
};

}  // namespace parley::inference::backend
