#include "kernels/reference/rope.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace parley::kernels::reference {

void rope(std::span<float> head, std::int32_t position, std::span<const float> inverse_frequencies,
          RopePairs pairs) {
  const std::size_t num_pairs = inverse_frequencies.size();
  assert(2 * num_pairs <= head.size());
  for (std::size_t i = 0; i < num_pairs; ++i) {
    const double angle = static_cast<float>(position) * inverse_frequencies[i];
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    float& first = head[pairs == RopePairs::adjacent ? 2 * i : i];
    float& second = head[pairs == RopePairs::adjacent ? 2 * i + 1 : i + num_pairs];
    const double a = first;
    const double b = second;
    first = static_cast<float>(a * cosine - b * sine);
    second = static_cast<float>(b * cosine + a * sine);
  }
}

}  // namespace parley::kernels::reference
