#pragma once
// Rotary position embedding of one head (Su et al. 2021, RoFormer, eq. 34). Pure, any thread. Sizes that do
// not fit are assertions.

#include <cstdint>
#include <span>

namespace parley::kernels::reference {

// Which two values rotate together.
enum class RopePairs : std::uint8_t {
  adjacent,  // (2i, 2i + 1)
  halves,    // (i, i + rope_dim / 2)
};

// Rotates the first 2 * inverse_frequencies.size() values of `head` in place; the rest stays.
// The angle of pair i is position * inverse_frequencies[i] rounded to f32, as the models were trained and are
// served elsewhere; its sine and cosine are exact in float64.
//   head                 [head_dim] f32
//   inverse_frequencies  [rope_dim / 2] f32
void rope(std::span<float> head, std::int32_t position, std::span<const float> inverse_frequencies,
          RopePairs pairs);

}  // namespace parley::kernels::reference
