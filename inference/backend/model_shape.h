#pragma once
// What a backend must know of a model: sizes, rotary embedding, norms. Plain data, any thread, immutable
// after loading.

#include <cstdint>
#include <vector>

namespace parley::inference::backend {

// Which two values of a head rotate together (Su et al. 2021, RoFormer).
enum class RopeLayout : std::uint8_t {
  adjacent,  // (2i, 2i + 1): llama files as GGUF stores them
  halves,    // (i, i + rope_dim / 2): qwen2
};

struct ModelShape {
  int num_layers = 0;
  int hidden_dim = 0;
  int num_heads = 0;
  int num_kv_heads = 0;  // divides num_heads; query head h reads kv head h / (num_heads / num_kv_heads)
  int head_dim = 0;
  int ffn_dim = 0;
  int vocab_size = 0;  // rows of the embedding and of the head
  // Ids from here on have rows but no token (files round the rows up): they are never drawn. 0: there are
  // none.
  int num_tokens = 0;
  float norm_epsilon = 1e-5f;
  RopeLayout rope_layout = RopeLayout::adjacent;
  // Angle of pair i at position p is p * rope_inverse_frequencies[i]; scaling is already applied.
  std::vector<float> rope_inverse_frequencies;  // [rope_dim / 2] f32, rope_dim <= head_dim
};

// Ids 0 .. result - 1 may be drawn.
inline int drawable_tokens(const ModelShape& shape) {
  return shape.num_tokens > 0 && shape.num_tokens < shape.vocab_size ? shape.num_tokens : shape.vocab_size;
}

}  // namespace parley::inference::backend
