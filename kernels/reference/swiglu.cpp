#include "kernels/reference/swiglu.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace parley::kernels::reference {

void swiglu(std::span<float> out, std::span<const float> gate, std::span<const float> up) {
  assert(gate.size() == out.size() && up.size() == out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double g = gate[i];
    out[i] = static_cast<float>(g / (1.0 + std::exp(-g)) * up[i]);
  }
}

}  // namespace parley::kernels::reference
