#pragma once
// The gated activation of feed-forward layers (Shazeer 2020, SwiGLU), in float64. Pure, any thread. Sizes
// that do not fit are assertions.

#include <span>

namespace parley::kernels::reference {

// out = gate / (1 + exp(-gate)) * up; all [dim] f32, may alias.
void swiglu(std::span<float> out, std::span<const float> gate, std::span<const float> up);

}  // namespace parley::kernels::reference
