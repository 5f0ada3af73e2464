#pragma once
// Layer norm and GELU of one row, in float64. Pure, any thread. Sizes that do not fit are assertions.

#include <span>

namespace parley::kernels::reference {

struct LayerNormWeights {
  std::span<const float> weight;  // [dim]
  std::span<const float> bias;    // [dim]
  float epsilon = 0.0f;
};

// out = (x - mean) / sqrt(variance + epsilon) * weight + bias (Ba et al. 2016, eq. 4).
//   x, out  [dim] f32, may alias
void layer_norm(std::span<float> out, std::span<const float> x, const LayerNormWeights& weights);

// out = x / 2 * (1 + erf(x / sqrt 2)) (Hendrycks & Gimpel 2016); both [dim] f32, may alias.
void gelu(std::span<float> out, std::span<const float> x);

}  // namespace parley::kernels::reference
