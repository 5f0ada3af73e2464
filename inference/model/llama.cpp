#include "inference/model/architecture.h"

namespace parley::inference::model {

// Llama 1 to 3, SmolLM2, Mistral and others of the shape (Touvron et al. 2023). Files hold the rows of q and
// k in such an order that adjacent values rotate together.
const Architecture& llama_architecture() {
  static constexpr Architecture kLlama{
      .name = "llama",
      .rope_layout = backend::RopeLayout::adjacent,
      .qkv_biases = Biases::optional,
      .layer = {},
  };
  return kLlama;
}

}  // namespace parley::inference::model
