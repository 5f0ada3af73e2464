#pragma once
// A step plan as the CPU kernels need it: the position of each row, its rotary factors, its place in the KV
// blocks. Set by the engine's thread at the start of a step (rotary factors by any thread, row by row), then
// read by all. The constructor throws std::bad_alloc; a plan that does not fit is an assertion.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/backend/model_shape.h"
#include "inference/backend/step_plan.h"
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/huge_buffer.h"

namespace parley::inference::backend {

class CpuStep {
 public:
  CpuStep(const ModelShape& shape, int max_rows);

  // Takes the plan over. A plan that does not fit is an assertion.
  void begin(const StepPlan& plan, std::int32_t num_blocks);
  // Computes the rotary factors of a row; once for each row, before rope().
  void prepare_rope(int row);

  int num_rows() const { return static_cast<int>(plan_.token_ids.size()); }
  const StepPlan& plan() const { return plan_; }

  std::int32_t position(int row) const { return positions_[static_cast<std::size_t>(row)]; }
  // KV block of the row's own position.
  std::int32_t block(int row) const { return blocks_[static_cast<std::size_t>(row)]; }
  // Rotary work on heads [num_heads, head_dim] of the row.
  kernels::cpu::RopeRow rope(int row, float* heads, int num_heads) const;

 private:
  const ModelShape& shape_;
  [[maybe_unused]] const int max_rows_;
  StepPlan plan_;
  std::vector<std::int32_t> positions_;  // [rows]
  std::vector<std::int32_t> blocks_;     // [rows]
  int rope_dim_ = 0;
  kernels::cpu::HugeBuffer factors_;  // [max_rows][cosines, sines][rope_dim] f32
};

}  // namespace parley::inference::backend
