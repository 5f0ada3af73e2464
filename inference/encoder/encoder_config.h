#pragma once
// What the files beside an encoder's weights say of it: sizes, pooling, prefixes, limits (the layout of
// sentence-transformers: config.json, 1_Pooling/config.json, modules.json, sentence_bert_config.json,
// config_sentence_transformers.json, tokenizer_config.json). A value, any thread. Reading throws
// std::runtime_error that names file and key.

#include <cstdint>
#include <filesystem>
#include <string>

#include "inference/tokenizer/word_piece.h"

namespace parley::inference::encoder {

enum class Pooling : std::uint8_t {
  mean,   // of all tokens' vectors
  first,  // the first token's ([CLS])
  last,   // the last token's
};

struct EncoderConfig {
  int vocab_size = 0;
  int hidden_dim = 0;
  int num_layers = 0;
  int num_heads = 0;
  int ffn_dim = 0;
  int max_positions = 0;
  int num_token_types = 0;
  float norm_epsilon = 0.0f;
  Pooling pooling = Pooling::mean;
  bool normalise = false;  // to length 1
  int max_tokens = 0;      // of a sequence, the two special ones included
  std::string query_prefix, passage_prefix;
  tokenizer::WordPieceOptions words;

  int head_dim() const { return hidden_dim / num_heads; }
};

EncoderConfig read_encoder_config(const std::filesystem::path& folder);

}  // namespace parley::inference::encoder
