#pragma once
// Attention of one query head over the keys it sees (Vaswani et al. 2017, eq. 1), in float64. Pure, any
// thread. Sizes that do not fit are assertions; allocation may throw std::bad_alloc.

#include <cstddef>
#include <span>

namespace parley::kernels::reference {

// out = softmax(query . keys / sqrt(head_dim)) values.
//   query, out    [head_dim] f32
//   keys, values  num_keys rows of head_dim f32, `stride` floats apart
struct AttentionInput {
  std::span<const float> query;
  const float* keys = nullptr;
  const float* values = nullptr;
  std::size_t num_keys = 0;  // >= 1
  std::size_t stride = 0;
};
void attention(std::span<float> out, const AttentionInput& input);

}  // namespace parley::kernels::reference
