#include <algorithm>
#include <cassert>

#include "inference/encoder/encoder.h"
#include "inference/encoder/pooling.h"
#include "kernels/dtypes/dequantize.h"
#include "kernels/reference/attention.h"
#include "kernels/reference/encoder_stages.h"
#include "kernels/reference/linear.h"

namespace parley::inference::encoder {
namespace {

using Floats = std::vector<float>;
namespace reference = kernels::reference;

Floats row_of(const MatrixView& matrix, std::int64_t row) {
  Floats values(static_cast<std::size_t>(matrix.columns));
  kernels::dtypes::dequantize_row(matrix, row, values);
  return values;
}

class ReferenceEncoder final : public Encoder {
 public:
  ReferenceEncoder(const EncoderConfig& config, EncoderSource source)
      : config_(config), source_(std::move(source)), dim_(static_cast<std::size_t>(config.hidden_dim)) {}

  std::size_t begin(std::span<const TokenIds> sequences) override {
    hidden_ = embed(sequences.front());
    next_layer_ = 0;
    return 1;
  }
  bool advance() override {
    apply(source_.layers[next_layer_++], hidden_);
    return next_layer_ < source_.layers.size();
  }
  void finish(std::span<float> out) override {
    pool_tokens(hidden_, config_.pooling, config_.normalise, out);
  }

 private:
  Floats embed(const TokenIds& ids) const {
    Floats hidden;
    const Floats type = row_of(source_.token_types, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Floats row = row_of(source_.words, ids[i]);
      const Floats position = row_of(source_.positions, static_cast<std::int64_t>(i));
      for (std::size_t d = 0; d < dim_; ++d) row[d] += position[d] + type[d];
      hidden.insert(hidden.end(), row.begin(), row.end());
    }
    normalise(source_.embedding_norm, hidden);
    return hidden;
  }

  void normalise(const NormWeights& norm, Floats& hidden) const {
    const Floats weight = row_of(norm.weight, 0), bias = row_of(norm.bias, 0);
    for (std::size_t at = 0; at < hidden.size(); at += dim_) {
      const auto row = std::span(hidden).subspan(at, dim_);
      reference::layer_norm(row, row, {weight, bias, config_.norm_epsilon});
    }
  }

  static Floats linear(const LinearWeights& layer, const Floats& x) {
    const auto rows = x.size() / static_cast<std::size_t>(layer.weight.columns);
    const auto outputs = static_cast<std::size_t>(layer.weight.rows);
    Floats out(rows * outputs);
    reference::multiply_float(layer.weight, x, static_cast<int>(rows), out);
    const Floats bias = row_of(layer.bias, 0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += bias[i % outputs];
    return out;
  }

  Floats attend(const Floats& query, const Floats& key, const Floats& value) const {
    const auto head_dim = static_cast<std::size_t>(config_.head_dim());
    Floats out(query.size());
    for (std::size_t at = 0; at < query.size(); at += head_dim) {
      const std::size_t head = at % dim_;
      reference::attention(std::span(out).subspan(at, head_dim),
                           {std::span(query).subspan(at, head_dim), key.data() + head, value.data() + head,
                            key.size() / dim_, dim_});
    }
    return out;
  }

  void apply(const EncoderLayer& layer, Floats& hidden) const {
    const auto add = [&hidden](const Floats& more) {
      std::transform(hidden.begin(), hidden.end(), more.begin(), hidden.begin(), std::plus<>());
    };
    add(linear(layer.attention_out,
               attend(linear(layer.query, hidden), linear(layer.key, hidden), linear(layer.value, hidden))));
    normalise(layer.attention_norm, hidden);
    Floats inner = linear(layer.up, hidden);
    reference::gelu(inner, inner);
    add(linear(layer.down, inner));
    normalise(layer.ffn_norm, hidden);
  }

  const EncoderConfig config_;
  const EncoderSource source_;
  const std::size_t dim_;
  Floats hidden_;
  std::size_t next_layer_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> make_reference_encoder(const EncoderConfig& config, const EncoderSource& source) {
  return std::make_unique<ReferenceEncoder>(config, source);
}

}  // namespace parley::inference::encoder
