#include "inference/backend/cpu_step.h"

#include <cassert>
#include <cmath>

namespace parley::inference::backend {

CpuStep::CpuStep(const ModelShape& shape, int max_rows)
    : shape_(shape),
      max_rows_(max_rows),
      rope_dim_(2 * static_cast<int>(shape.rope_inverse_frequencies.size())),
      factors_(static_cast<std::size_t>(max_rows) * 2 * static_cast<std::size_t>(rope_dim_) * sizeof(float)) {
}

void CpuStep::begin(const StepPlan& plan, [[maybe_unused]] std::int32_t num_blocks) {
  plan_ = plan;
  positions_.clear();
  blocks_.clear();
  assert(num_rows() <= max_rows_);
  for (const SequenceRows& sequence : plan_.sequences) {
    assert(sequence.first_row == static_cast<std::int32_t>(positions_.size()) && sequence.num_rows >= 1);
    assert(sequence.first_position >= 0);
    for (std::int32_t i = 0; i < sequence.num_rows; ++i) {
      const std::int32_t position = sequence.first_position + i;
      const std::int32_t block = sequence.first_block + position / kBlockTokens;
      const auto entry = static_cast<std::size_t>(block);
      assert(entry < plan_.block_table.size());
      assert(plan_.block_table[entry] >= 0 && plan_.block_table[entry] < num_blocks);
      positions_.push_back(position);
      blocks_.push_back(plan_.block_table[entry]);
    }
  }
  assert(positions_.size() == plan_.token_ids.size());
}

// The angle is the f32 product that models are trained with (kernels/reference/rope.h).
void CpuStep::prepare_rope(int row) {
  const std::size_t dim = static_cast<std::size_t>(rope_dim_);
  float* cosines = factors_.as<float>() + static_cast<std::size_t>(row) * 2 * dim;
  float* sines = cosines + dim;
  const bool adjacent = shape_.rope_layout == RopeLayout::adjacent;
  for (std::size_t pair = 0; pair < dim / 2; ++pair) {
    const double angle = static_cast<float>(position(row)) * shape_.rope_inverse_frequencies[pair];
    const float cosine = static_cast<float>(std::cos(angle));
    const float sine = static_cast<float>(std::sin(angle));
    const std::size_t first = adjacent ? 2 * pair : pair;
    const std::size_t second = adjacent ? first + 1 : first + dim / 2;
    cosines[first] = cosines[second] = cosine;
    sines[first] = -sine;
    sines[second] = sine;
  }
}

kernels::cpu::RopeRow CpuStep::rope(int row, float* heads, int num_heads) const {
  const float* cosines =
      factors_.as<float>() + static_cast<std::size_t>(row) * 2 * static_cast<std::size_t>(rope_dim_);
  return {.heads = heads,
          .cosines = cosines,
          .sines = cosines + rope_dim_,
          .num_heads = num_heads,
          .head_dim = shape_.head_dim,
          .rope_dim = rope_dim_,
          .pairs = shape_.rope_layout == RopeLayout::adjacent ? kernels::cpu::RopePairs::adjacent
                                                              : kernels::cpu::RopePairs::halves};
}

}  // namespace parley::inference::backend
