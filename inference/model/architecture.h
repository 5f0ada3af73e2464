#pragma once
// What sets one family of decoder-only transformers apart from the others; the layers themselves are shared
// (transformer.cpp). To add a family: a file beside llama.cpp, and its line in architecture.cpp.
// Constant data, any thread.

#include <string>
#include <string_view>

#include "inference/backend/model_shape.h"

namespace parley::inference::model {

enum class Biases : std::uint8_t {
  none,      // refused when the file has them
  optional,  // used when the file has them
  required,
};

// Names of a layer's tensors behind "blk.N.", without ".weight" and ".bias".
struct LayerTensors {
  std::string_view attention_norm = "attn_norm";
  std::string_view q = "attn_q";
  std::string_view k = "attn_k";
  std::string_view v = "attn_v";
  std::string_view attention_output = "attn_output";
  std::string_view ffn_norm = "ffn_norm";
  std::string_view gate = "ffn_gate";
  std::string_view up = "ffn_up";
  std::string_view down = "ffn_down";
};

struct Architecture {
  std::string_view name;  // value of general.architecture and prefix of the family's metadata keys
  backend::RopeLayout rope_layout = backend::RopeLayout::adjacent;
  Biases qkv_biases = Biases::optional;
  LayerTensors layer;
  std::string_view embedding = "token_embd";
  std::string_view output_norm = "output_norm";
  std::string_view output = "output";  // a file without it uses the embedding (tied)
};

const Architecture& llama_architecture();
const Architecture& qwen2_architecture();

const Architecture* find_architecture(std::string_view name);  // nullptr: not supported
std::string supported_architectures();                         // "llama, qwen2"

}  // namespace parley::inference::model
