#pragma once
// An encoder's weights as its file stores them, found by name and checked by shape. Views borrow the file.
// Any thread. Throws std::runtime_error that names the tensor.

#include <vector>

#include "inference/encoder/encoder_config.h"
#include "inference/formats/safetensors.h"
#include "kernels/dtypes/dtype.h"

namespace parley::inference::encoder {

using kernels::dtypes::MatrixView;

struct LinearWeights {
  MatrixView weight;  // [outputs, inputs]
  MatrixView bias;    // [outputs]
};

struct NormWeights {
  MatrixView weight;  // [hidden_dim]
  MatrixView bias;    // [hidden_dim]
};

struct EncoderLayer {
  LinearWeights query, key, value;  // [hidden_dim, hidden_dim]
  LinearWeights attention_out;      // [hidden_dim, hidden_dim]
  NormWeights attention_norm;
  LinearWeights up;    // [ffn_dim, hidden_dim]
  LinearWeights down;  // [hidden_dim, ffn_dim]
  NormWeights ffn_norm;
};

struct EncoderSource {
  MatrixView words;        // [vocab_size, hidden_dim]
  MatrixView positions;    // [max_positions, hidden_dim]
  MatrixView token_types;  // [num_token_types, hidden_dim]
  NormWeights embedding_norm;
  std::vector<EncoderLayer> layers;
};

// Names of BERT in `transformers`, with or without "bert." before them.
EncoderSource find_encoder_weights(const formats::SafetensorsFile& file, const EncoderConfig& config);

}  // namespace parley::inference::encoder
