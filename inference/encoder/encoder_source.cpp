#include "inference/encoder/encoder_source.h"

#include <stdexcept>
#include <string>

namespace parley::inference::encoder {
namespace {

class Finder {
 public:
  Finder(const formats::SafetensorsFile& file, const EncoderConfig& config)
      : file_(file),
        hidden_(config.hidden_dim),
        prefix_(file.find("bert." + kFirst) != nullptr ? "bert." : "") {}

  MatrixView matrix(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    const formats::SafeTensor* tensor = file_.find(prefix_ + name);
    if (tensor == nullptr) throw std::runtime_error("the model has no tensor " + prefix_ + name);
    const MatrixView& found = tensor->matrix;
    if (found.rows != rows || found.columns != columns) {
      throw std::runtime_error("tensor " + prefix_ + name + " is [" + std::to_string(found.rows) + ", " +
                               std::to_string(found.columns) + "], expected [" + std::to_string(rows) + ", " +
                               std::to_string(columns) + "]");
    }
    return found;
  }
  LinearWeights linear(const std::string& name, std::int64_t outputs, std::int64_t inputs) const {
    return {matrix(name + ".weight", outputs, inputs), matrix(name + ".bias", 1, outputs)};
  }
  LinearWeights square(const std::string& name) const { return linear(name, hidden_, hidden_); }
  NormWeights norm(const std::string& name) const {
    return {matrix(name + ".weight", 1, hidden_), matrix(name + ".bias", 1, hidden_)};
  }

 private:
  inline static const std::string kFirst = "embeddings.word_embeddings.weight";

  const formats::SafetensorsFile& file_;
  const std::int64_t hidden_;
  const std::string prefix_;
};

}  // namespace

EncoderSource find_encoder_weights(const formats::SafetensorsFile& file, const EncoderConfig& config) {
  const Finder find(file, config);
  const std::int64_t hidden = config.hidden_dim, ffn = config.ffn_dim;
  EncoderSource source;
  source.words = find.matrix("embeddings.word_embeddings.weight", config.vocab_size, hidden);
  source.positions = find.matrix("embeddings.position_embeddings.weight", config.max_positions, hidden);
  source.token_types = find.matrix("embeddings.token_type_embeddings.weight", config.num_token_types, hidden);
  source.embedding_norm = find.norm("embeddings.LayerNorm");
  for (int i = 0; i < config.num_layers; ++i) {
    const std::string name = "encoder.layer." + std::to_string(i) + ".";
    EncoderLayer layer;
    layer.query = find.square(name + "attention.self.query");
    layer.key = find.square(name + "attention.self.key");
    layer.value = find.square(name + "attention.self.value");
    layer.attention_out = find.square(name + "attention.output.dense");
    layer.attention_norm = find.norm(name + "attention.output.LayerNorm");
    layer.up = find.linear(name + "intermediate.dense", ffn, hidden);
    layer.down = find.linear(name + "output.dense", hidden, ffn);
    layer.ffn_norm = find.norm(name + "output.LayerNorm");
    source.layers.push_back(layer);
  }
  return source;
}

}  // namespace parley::inference::encoder
