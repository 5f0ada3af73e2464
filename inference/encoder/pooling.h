#pragma once
// From a vector a token to one a sequence. Pure, any thread.

#include <span>

#include "inference/encoder/encoder_config.h"

namespace parley::inference::encoder {

//   tokens  [num_tokens, out.size()] f32
//   out     [hidden_dim] f32; of length 1 if asked for, unless all zero
void pool_tokens(std::span<const float> tokens, Pooling pooling, bool normalise, std::span<float> out);

}  // namespace parley::inference::encoder
