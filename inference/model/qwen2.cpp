#include "inference/model/architecture.h"

namespace parley::inference::model {

// Qwen2, Qwen2.5 and Qwen2.5-Coder (Yang et al. 2024): biases on q, k and v.
const Architecture& qwen2_architecture() {
  static constexpr Architecture kQwen2{
      .name = "qwen2",
      .rope_layout = backend::RopeLayout::halves,
      .qkv_biases = Biases::required,
      .layer = {},
  };
  return kQwen2;
}

}  // namespace parley::inference::model
