#include <algorithm>
#include <atomic>
#include <cassert>
#include <optional>

#include "inference/backend/cpu_linear_stage.h"
#include "inference/encoder/cpu_attention.h"
#include "inference/encoder/encoder.h"
#include "inference/encoder/pooling.h"
#include "inference/encoder/quantized_weights.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/packed_linear.h"
#include "kernels/dtypes/dequantize.h"

namespace parley::inference::encoder {
namespace {

using kernels::cpu::HugeBuffer;
using kernels::cpu::PackedLinear;
using kernels::cpu::Store;
using Floats = std::vector<float>;

constexpr int kUsualRows =
    512;  // of one pass: enough for the products to read weights rarely, small enough for caches

Floats all_values(const MatrixView& matrix) {
  Floats values(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    kernels::dtypes::dequantize_row(matrix, row,
                                    std::span(values).subspan(static_cast<std::size_t>(row * matrix.columns),
                                                              static_cast<std::size_t>(matrix.columns)));
  }
  return values;
}

struct Norm {
  explicit Norm(const NormWeights& weights)
      : weight(all_values(weights.weight)), bias(all_values(weights.bias)) {}
  Floats weight, bias;
};

// A stack of layers with a common input, packed for the products.
PackedLinear pack(std::initializer_list<const LinearWeights*> layers, kernels::cpu::WeightArena& arena,
                  kernels::cpu::ComputePool& pool) {
  std::vector<QuantizedMatrix> matrices;
  std::vector<MatrixView> parts, biases;
  for (const LinearWeights* layer : layers) matrices.emplace_back(layer->weight);
  for (const auto& matrix : matrices) parts.push_back(matrix.view());
  for (const LinearWeights* layer : layers) biases.push_back(layer->bias);
  PackedLinear packed(parts, biases, arena);
  auto job = [&](int thread) { packed.pack(packed.share(thread, pool.num_threads())); };
  pool.run(job);
  return packed;
}

struct Layer {
  Layer(const EncoderLayer& source, kernels::cpu::WeightArena& arena, kernels::cpu::ComputePool& pool)
      : qkv(pack({&source.query, &source.key, &source.value}, arena, pool)),
        attention_out(pack({&source.attention_out}, arena, pool)),
        attention_norm(source.attention_norm),
        up(pack({&source.up}, arena, pool)),
        down(pack({&source.down}, arena, pool)),
        ffn_norm(source.ffn_norm) {}

  PackedLinear qkv, attention_out;
  Norm attention_norm;
  PackedLinear up, down;
  Norm ffn_norm;
};

class CpuEncoder final : public Encoder {
 public:
  CpuEncoder(const EncoderConfig& config, const EncoderSource& source, kernels::cpu::ComputePool& pool)
      : config_(config),
        dim_(static_cast<std::size_t>(config.hidden_dim)),
        ffn_dim_(static_cast<std::size_t>(config.ffn_dim)),
        max_rows_(std::max(kUsualRows, config.max_tokens)),
        pool_(pool),
        kernels_(kernels::cpu::float_kernels(kernels::cpu::selected_isa())),
        linear_(kernels::cpu::selected_isa(), pool, max_rows_, std::max(config.hidden_dim, config.ffn_dim)),
        words_(all_values(source.words)),
        positions_(all_values(source.positions)),
        type_(all_values({source.token_types.dtype, 1, source.token_types.columns, source.token_types.data})),
        embedding_norm_(source.embedding_norm),
        memory_(static_cast<std::size_t>(max_rows_) * (5 * dim_ + ffn_dim_) * sizeof(float)) {
    for (const auto& layer : source.layers) layers_.emplace_back(layer, arena_, pool);
    for (int i = 0; i < pool.num_threads(); ++i) attention_.emplace_back(config, kernels_);
    const auto rows = static_cast<std::size_t>(max_rows_);
    hidden_ = memory_.as<float>();
    qkv_ = hidden_ + rows * dim_;
    attended_ = qkv_ + rows * 3 * dim_;
    inner_ = attended_ + rows * dim_;
  }

  std::size_t begin(std::span<const TokenIds> sequences) override {
    plan_.clear();
    rows_ = 0;
    next_layer_ = 0;
    for (const auto& ids : sequences) {
      const auto num_tokens = static_cast<int>(ids.size());
      assert(num_tokens > 0 && num_tokens <= config_.max_tokens);
      if (rows_ + num_tokens > max_rows_) break;
      plan_.push_back({rows_, num_tokens});
      rows_ += num_tokens;
    }
    embed(sequences.first(plan_.size()));
    return plan_.size();
  }

  bool advance() override {
    const Layer& layer = layers_[next_layer_++];
    multiply(layer.qkv, hidden_, qkv_, Store::overwrite);
    attend();
    multiply(layer.attention_out, attended_, hidden_, Store::add);
    normalise(layer.attention_norm);
    multiply(layer.up, hidden_, inner_, Store::overwrite);
    for_rows([&](int begin, int end) {
      float* first = inner_ + static_cast<std::size_t>(begin) * ffn_dim_;
      kernels_.gelu(first, first, (end - begin) * config_.ffn_dim);
    });
    multiply(layer.down, inner_, hidden_, Store::add);
    normalise(layer.ffn_norm);
    return next_layer_ < layers_.size();
  }

  void finish(std::span<float> out) override {
    assert(out.size() == plan_.size() * dim_);
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      const std::span tokens(hidden_ + static_cast<std::size_t>(plan_[i].first_row) * dim_,
                             static_cast<std::size_t>(plan_[i].num_tokens) * dim_);
      pool_tokens(tokens, config_.pooling, config_.normalise, out.subspan(i * dim_, dim_));
    }
  }

 private:
  struct Sequence {
    int first_row = 0;
    int num_tokens = 0;
  };

  void embed(std::span<const TokenIds> sequences) {
    float* row = hidden_;
    for (const auto& ids : sequences) {
      for (std::size_t i = 0; i < ids.size(); ++i, row += dim_) {
        const float* word = words_.data() + static_cast<std::size_t>(ids[i]) * dim_;
        const float* position = positions_.data() + i * dim_;
        for (std::size_t d = 0; d < dim_; ++d) row[d] = word[d] + position[d] + type_[d];
      }
    }
    normalise(embedding_norm_);
  }

  void multiply(const PackedLinear& layer, const float* in, float* out, Store store) {
    linear_.run(layer, {.values = in, .rows = rows_, .row_ids = nullptr, .norm = nullptr},
                {.values = out, .row_stride = static_cast<std::size_t>(layer.outputs()), .store = store});
  }

  // Shares the rows of the pass among the threads.
  template <typename Work>
  void for_rows(Work work) {
    auto job = [&](int thread) {
      const auto range = kernels::cpu::split_work(rows_, pool_.num_threads(), thread);
      work(range.begin, range.end);
    };
    pool_.run(job);
  }

  void normalise(const Norm& norm) {
    for_rows([&](int begin, int end) {
      for (int row = begin; row < end; ++row) {
        float* values = hidden_ + static_cast<std::size_t>(row) * dim_;
        kernels_.layer_norm(
            {values, values, norm.weight.data(), norm.bias.data(), config_.hidden_dim, config_.norm_epsilon});
      }
    });
  }

  void attend() {
    std::atomic<int> next{0};
    const int count = static_cast<int>(plan_.size()) * config_.num_heads;
    auto job = [&](int thread) {
      for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
        const Sequence& sequence = plan_[static_cast<std::size_t>(i / config_.num_heads)];
        const auto row = static_cast<std::size_t>(sequence.first_row);
        attention_[static_cast<std::size_t>(thread)].run(
            {qkv_ + row * 3 * dim_, attended_ + row * dim_, sequence.num_tokens, i % config_.num_heads});
      }
    };
    pool_.run(job);
  }

  const EncoderConfig config_;
  const std::size_t dim_, ffn_dim_;
  const int max_rows_;
  kernels::cpu::ComputePool& pool_;
  const kernels::cpu::FloatKernels& kernels_;
  backend::CpuLinearStage linear_;
  kernels::cpu::WeightArena arena_;
  const Floats words_, positions_, type_;
  const Norm embedding_norm_;
  std::vector<Layer> layers_;
  std::vector<CpuAttention> attention_;  // by thread
  HugeBuffer memory_;
  float* hidden_ = nullptr;    // [rows, hidden_dim]
  float* qkv_ = nullptr;       // [rows, 3 * hidden_dim]
  float* attended_ = nullptr;  // [rows, hidden_dim]
  float* inner_ = nullptr;     // [rows, ffn_dim]
  std::vector<Sequence> plan_;
  int rows_ = 0;
  std::size_t next_layer_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> make_cpu_encoder(const EncoderConfig& config, const EncoderSource& source,
                                          kernels::cpu::ComputePool& pool) {
  return std::make_unique<CpuEncoder>(config, source, pool);
}

}  // namespace parley::inference::encoder
