#pragma once
// A decoder of random weights in any stored type, run over a Backend stage by stage as model/ does. One
// thread.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "inference/backend/backend.h"
#include "kernels/dtypes/dequantize.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::inference::backend {

struct SyntheticOptions {
  kernels::dtypes::DType dtype = kernels::dtypes::DType::f32;
  ModelShape shape;
  bool qkv_biases = true;
  unsigned seed = 1;
};

inline ModelShape small_shape(int num_heads, int num_kv_heads, int head_dim, RopeLayout layout) {
  ModelShape shape{.num_layers = 2,
                   .hidden_dim = 256,
                   .num_heads = num_heads,
                   .num_kv_heads = num_kv_heads,
                   .head_dim = head_dim,
                   .ffn_dim = 256,
                   .vocab_size = 131,
                   .rope_layout = layout,
                   .rope_inverse_frequencies = {}};
  for (int i = 0; i < head_dim / 2; ++i) {
    shape.rope_inverse_frequencies.push_back(
        std::pow(10000.0f, -2.0f * static_cast<float>(i) / static_cast<float>(head_dim)));
  }
  return shape;
}

// The stored bytes; any number of backends may load them.
class SyntheticWeights {
 public:
  explicit SyntheticWeights(const SyntheticOptions& options) : options_(options), seed_(1000 * options.seed) {
    const ModelShape& s = options.shape;
    const int q_dim = s.num_heads * s.head_dim;
    const int kv_dim = s.num_kv_heads * s.head_dim;
    embedding = matrix(s.vocab_size, s.hidden_dim);
    gain_ = std::sqrt(static_cast<float>(s.hidden_dim)) * root_mean_square(embedding);
    for (int i = 0; i < s.num_layers; ++i) {
      Layer& layer = layers.emplace_back();
      layer.norms = {norm(s.hidden_dim), norm(s.hidden_dim)};
      layer.qkv = {matrix(q_dim, s.hidden_dim), matrix(kv_dim, s.hidden_dim), matrix(kv_dim, s.hidden_dim)};
      if (options.qkv_biases) layer.biases = {bias(q_dim), bias(kv_dim), bias(kv_dim)};
      layer.attention_output = matrix(s.hidden_dim, q_dim);
      layer.gate_up = {matrix(s.ffn_dim, s.hidden_dim), matrix(s.ffn_dim, s.hidden_dim)};
      layer.down = matrix(s.hidden_dim, s.ffn_dim);
    }
    output_norm = norm(s.hidden_dim);
  }

  struct Layer {
    std::vector<kernels::dtypes::MatrixView> norms, qkv, biases, gate_up;
    kernels::dtypes::MatrixView attention_output, down;
  };
  kernels::dtypes::MatrixView embedding, output_norm;  // the head is tied
  std::vector<Layer> layers;
  const ModelShape& shape() const { return options_.shape; }

 private:
  using Floats = std::vector<float>;

  kernels::dtypes::MatrixView matrix(int rows, int columns) {
    stored_.push_back(std::make_unique<kernels::StoredMatrix>(options_.dtype, rows, columns, ++seed_));
    return stored_.back()->view;
  }
  kernels::dtypes::MatrixView vector(int count, float centre, float spread) {
    std::mt19937 random(++seed_);
    std::normal_distribution<float> normal(centre, spread);
    floats_.push_back(std::make_unique<Floats>(static_cast<std::size_t>(count)));
    for (float& value : *floats_.back()) value = normal(random);
    return {kernels::dtypes::DType::f32, 1, count,
            reinterpret_cast<const std::byte*>(floats_.back()->data())};
  }
  // Random blocks of some types hold large values: norms bring the products back to about 1, so that
  // attention is not a choice of one key and rounding not amplified.
  kernels::dtypes::MatrixView norm(int count) { return vector(count, 1.0f / gain_, 0.1f / gain_); }
  kernels::dtypes::MatrixView bias(int count) { return vector(count, 0.0f, 0.5f); }

  static float root_mean_square(const kernels::dtypes::MatrixView& view) {
    std::vector<float> row(static_cast<std::size_t>(view.columns));
    double sum = 0.0;
    for (std::int64_t r = 0; r < view.rows; ++r) {
      kernels::dtypes::dequantize_row(view, r, row);
      for (const float value : row) sum += static_cast<double>(value) * value;
    }
    return static_cast<float>(std::sqrt(sum / static_cast<double>(view.rows * view.columns)));
  }

  SyntheticOptions options_;
  unsigned seed_;
  float gain_ = 1.0f;  // of a product with a random matrix
  std::vector<std::unique_ptr<kernels::StoredMatrix>> stored_;
  std::vector<std::unique_ptr<Floats>> floats_;
};

class SyntheticModel {
 public:
  SyntheticModel(const SyntheticWeights& weights, Backend& backend) : backend_(backend) {
    embedding_ = backend.load(LinearSource{.parts = {weights.embedding}, .biases = {}});
    for (const SyntheticWeights::Layer& source : weights.layers) {
      Layer& layer = layers_.emplace_back();
      layer.attention_norm = backend.load(VectorSource{source.norms[0]});
      layer.ffn_norm = backend.load(VectorSource{source.norms[1]});
      layer.qkv = backend.load(LinearSource{source.qkv, source.biases});
      layer.attention_output = backend.load(LinearSource{{source.attention_output}, {}});
      layer.gate_up = backend.load(LinearSource{source.gate_up, {}});
      layer.down = backend.load(LinearSource{{source.down}, {}});
    }
    output_norm_ = backend.load(VectorSource{weights.output_norm});
    head_ = backend.load(LinearSource{{weights.embedding}, {}});
  }

  // Logits of the plan's logit rows.
  std::vector<std::vector<float>> forward(const StepPlan& plan) {
    backend_.embed(plan, *embedding_);
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      backend_.norm_linear(*layer.attention_norm, *layer.qkv, Activation::qkv);
      backend_.rope_store_kv(static_cast<int>(i));
      backend_.attention(static_cast<int>(i));
      backend_.linear_add(*layer.attention_output, Activation::attention);
      backend_.norm_linear(*layer.ffn_norm, *layer.gate_up, Activation::gate_up);
      backend_.swiglu();
      backend_.linear_add(*layer.down, Activation::ffn);
    }
    backend_.logits(*output_norm_, *head_);
    std::vector<std::vector<float>> rows;
    for (std::size_t i = 0; i < plan.logit_rows.size(); ++i)
      rows.push_back(backend_.read_logits(static_cast<int>(i)));
    return rows;
  }

 private:
  struct Layer {
    WeightHandle attention_norm, qkv, attention_output, ffn_norm, gate_up, down;
  };
  Backend& backend_;
  WeightHandle embedding_, output_norm_, head_;
  std::vector<Layer> layers_;
};

}  // namespace parley::inference::backend
