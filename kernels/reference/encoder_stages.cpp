#include "kernels/reference/encoder_stages.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace parley::kernels::reference {

void layer_norm(std::span<float> out, std::span<const float> x, const LayerNormWeights& weights) {
  assert(out.size() == x.size() && weights.weight.size() == x.size() && weights.bias.size() == x.size());
  const auto count = static_cast<double>(x.size());
  double sum = 0.0;
  for (const float value : x) sum += value;
  const double mean = sum / count;
  double squares = 0.0;
  for (const float value : x) squares += (value - mean) * (value - mean);
  const double scale = 1.0 / std::sqrt(squares / count + weights.epsilon);
  for (std::size_t i = 0; i < x.size(); ++i) {
    out[i] = static_cast<float>((x[i] - mean) * scale * weights.weight[i] + weights.bias[i]);
  }
}

void gelu(std::span<float> out, std::span<const float> x) {
  assert(out.size() == x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = x[i];
    out[i] = static_cast<float>(value / 2 * std::erfc(-value / std::sqrt(2.0)));
  }
}

}  // namespace parley::kernels::reference
