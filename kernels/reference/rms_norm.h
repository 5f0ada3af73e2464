#pragma once
// Root-mean-square normalisation of one row (Zhang & Sennrich 2019, eq. 4), accumulated in float64. Pure, any
// thread. Sizes that do not fit are assertions.

#include <span>

namespace parley::kernels::reference {

// out = x / sqrt(mean(x^2) + epsilon) * weight.
//   x, out  [dim] f32, may alias
//   weight  [dim] f32
void rms_norm(std::span<float> out, std::span<const float> x, std::span<const float> weight, float epsilon);

}  // namespace parley::kernels::reference
