#include "kernels/reference/rms_norm.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace parley::kernels::reference {

void rms_norm(std::span<float> out, std::span<const float> x, std::span<const float> weight, float epsilon) {
  assert(out.size() == x.size() && weight.size() == x.size());
  double sum = 0.0;
  for (const float value : x) sum += static_cast<double>(value) * value;
  const double scale = 1.0 / std::sqrt(sum / static_cast<double>(x.size()) + epsilon);
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<float>(x[i] * scale * weight[i]);
}

}  // namespace parley::kernels::reference
