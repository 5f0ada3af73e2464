#include "inference/model/transformer.h"

#include <cassert>
#include <cstddef>
#include <string>

#include "inference/formats/gguf.h"
#include "inference/model/architecture.h"
#include "inference/model/model_config.h"
#include "inference/model/rope_frequencies.h"
#include "inference/model/weight_plan.h"

namespace parley::inference::model {
namespace {

using backend::Activation;
using backend::WeightHandle;

struct LayerWeights {
  WeightHandle attention_norm;    // [hidden]
  WeightHandle qkv;               // [(heads + 2 * kv_heads) * head_dim, hidden]
  WeightHandle attention_output;  // [hidden, heads * head_dim]
  WeightHandle ffn_norm;          // [hidden]
  WeightHandle gate_up;           // [2 * ffn, hidden]
  WeightHandle down;              // [hidden, ffn]
};

struct ModelWeights {
  WeightHandle embedding;  // [vocab, hidden]; null when the head is the embedding (tied)
  std::vector<LayerWeights> layers;
  WeightHandle output_norm;  // [hidden]
  WeightHandle head;         // [vocab, hidden]
};

void plan_layer(WeightPlan& plan, const Architecture& architecture, const backend::ModelShape& shape,
                int index, LayerWeights& layer) {
  const LayerTensors& tensors = architecture.layer;
  const auto name = [index](std::string_view tensor) {
    return "blk." + std::to_string(index) + "." + std::string(tensor);
  };
  const std::int64_t q_dim = std::int64_t{shape.num_heads} * shape.head_dim;
  const std::int64_t kv_dim = std::int64_t{shape.num_kv_heads} * shape.head_dim;
  const LinearPart qkv[] = {{name(tensors.q), q_dim, architecture.qkv_biases},
                            {name(tensors.k), kv_dim, architecture.qkv_biases},
                            {name(tensors.v), kv_dim, architecture.qkv_biases}};
  const LinearPart attention_output[] = {{name(tensors.attention_output), shape.hidden_dim}};
  const LinearPart gate_up[] = {{name(tensors.gate), shape.ffn_dim}, {name(tensors.up), shape.ffn_dim}};
  const LinearPart down[] = {{name(tensors.down), shape.hidden_dim}};

  plan.add_norm(layer.attention_norm, name(tensors.attention_norm), shape.hidden_dim);
  plan.add_linear(layer.qkv, qkv, shape.hidden_dim);
  plan.add_linear(layer.attention_output, attention_output, q_dim);
  plan.add_norm(layer.ffn_norm, name(tensors.ffn_norm), shape.hidden_dim);
  plan.add_linear(layer.gate_up, gate_up, shape.hidden_dim);
  plan.add_linear(layer.down, down, shape.ffn_dim);
}

// Everything that the model needs, and nothing else in the file. `weights` must stay in place until it is
// loaded.
WeightPlan plan_weights(const formats::GgufFile& file, const ModelConfig& config, ModelWeights& weights) {
  const Architecture& architecture = *find_architecture(config.architecture);
  const backend::ModelShape& shape = config.shape;
  WeightPlan plan(file);
  plan.accept(kRopeDivisors);
  const bool tied = !plan.has(architecture.output);
  const LinearPart embedding[] = {{std::string(architecture.embedding), shape.vocab_size, Biases::none}};
  plan.add_linear(tied ? weights.head : weights.embedding, embedding, shape.hidden_dim);
  weights.layers.resize(static_cast<std::size_t>(shape.num_layers));
  for (int i = 0; i < shape.num_layers; ++i) {
    plan_layer(plan, architecture, shape, i, weights.layers[static_cast<std::size_t>(i)]);
  }
  plan.add_norm(weights.output_norm, architecture.output_norm, shape.hidden_dim);
  const LinearPart head[] = {{std::string(architecture.output), shape.vocab_size}};
  if (!tied) plan.add_linear(weights.head, head, shape.hidden_dim);
  plan.refuse_unused();
  return plan;
}

class DecoderTransformer final : public Transformer {
 public:
  DecoderTransformer(const formats::GgufFile& file, backend::Backend& backend, const LoadProgress& progress)
      : backend_(backend) {
    WeightPlan plan = plan_weights(file, read_model_config(file), weights_);
    plan.load(backend, progress);
  }

  std::vector<backend::SampledToken> forward(const backend::StepPlan& plan,
                                             const backend::SamplePlan& sampling) override {
    backend_.embed(plan, weights_.embedding ? *weights_.embedding : *weights_.head);
    for (std::size_t i = 0; i < weights_.layers.size(); ++i)
      run_layer(static_cast<int>(i), weights_.layers[i]);
    if (plan.logit_rows.empty()) return {};
    backend_.logits(*weights_.output_norm, *weights_.head);
    return backend_.sample(sampling);
  }

  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& sampling) override {
    return backend_.sample(sampling);
  }

 private:
  void run_layer(int index, const LayerWeights& layer) {
    backend_.norm_linear(*layer.attention_norm, *layer.qkv, Activation::qkv);
    backend_.rope_store_kv(index);
    backend_.attention(index);
    backend_.linear_add(*layer.attention_output, Activation::attention);
    backend_.norm_linear(*layer.ffn_norm, *layer.gate_up, Activation::gate_up);
    backend_.swiglu();
    backend_.linear_add(*layer.down, Activation::ffn);
  }

  backend::Backend& backend_;
  ModelWeights weights_;
};

}  // namespace

std::unique_ptr<Transformer> make_transformer(const formats::GgufFile& file, backend::Backend& backend,
                                              const LoadProgress& progress) {
  return std::make_unique<DecoderTransformer>(file, backend, progress);
}

void check_weights(const formats::GgufFile& file) {
  ModelWeights nowhere;
  plan_weights(file, read_model_config(file), nowhere);
}

}  // namespace parley::inference::model
