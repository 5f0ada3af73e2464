// The oracle for whole models: weights decoded to f32 once, every stage the obvious loop over rows, float64
// inside a stage and f32 between stages. Slow on purpose; memory is four bytes a weight.

#include <algorithm>
#include <cassert>

#include "inference/backend/backend.h"
#include "inference/backend/reference_weight.h"
#include "kernels/reference/attention.h"
#include "kernels/reference/rms_norm.h"
#include "kernels/reference/rope.h"
#include "kernels/reference/sample.h"
#include "kernels/reference/swiglu.h"

namespace parley::inference::backend {
namespace {

namespace reference = kernels::reference;

const ReferenceWeight& own(const Weight& weight) { return static_cast<const ReferenceWeight&>(weight); }

reference::SampleSettings sample_settings(const SampleRow& row, std::span<const reference::SeenToken> seen) {
  return {.temperature = row.temperature,
          .top_k = row.top_k,
          .top_p = row.top_p,
          .min_p = row.min_p,
          .repeat_penalty = row.repeat_penalty,
          .seen = seen,
          .allowed = row.allowed,
          .seed = row.seed,
          .draw = row.draw,
          .num_logprobs = row.num_logprobs};
}

class ReferenceBackend final : public Backend {
 public:
  explicit ReferenceBackend(const BackendOptions& options)
      : shape_(options.shape),
        head_dim_(static_cast<std::size_t>(shape_.head_dim)),
        q_dim_(static_cast<std::size_t>(shape_.num_heads) * head_dim_),
        kv_dim_(static_cast<std::size_t>(shape_.num_kv_heads) * head_dim_) {
    const std::size_t kv_rows = static_cast<std::size_t>(options.num_blocks) * kBlockTokens;
    layers_.resize(static_cast<std::size_t>(shape_.num_layers));
    for (LayerCache& layer : layers_) {
      layer.keys = {kv_dim_, std::vector<float>(kv_rows * kv_dim_)};
      layer.values = {kv_dim_, std::vector<float>(kv_rows * kv_dim_)};
    }
  }

  WeightHandle load(const WeightSource& source) override { return load_reference_weight(source); }

  void embed(const StepPlan& plan, const Weight& table) override {
    plan_ = plan;
    logits_ = {};
    hidden_.columns = static_cast<std::size_t>(shape_.hidden_dim);
    hidden_.values.resize(plan.token_ids.size() * hidden_.columns);
    const FloatMatrix& rows = own(table).matrix;
    for (std::size_t row = 0; row < plan.token_ids.size(); ++row) {
      const auto token = static_cast<std::size_t>(plan.token_ids[row]);
      assert(token < rows.rows());
      std::ranges::copy(rows.row(token), hidden_.row(row).begin());
    }
  }

  void norm_linear(const Weight& norm, const Weight& linear, Activation out) override {
    FloatMatrix& target = buffer(out);
    target = {own(linear).matrix.rows(), {}};
    for (std::size_t row = 0; row < hidden_.rows(); ++row) append_product(norm, linear, row, target);
  }

  void rope_store_kv(int layer) override {
    assert(qkv_.columns == q_dim_ + 2 * kv_dim_);
    LayerCache& cache = layers_[static_cast<std::size_t>(layer)];
    for (const SequenceRows& sequence : plan_.sequences) {
      for (std::int32_t i = 0; i < sequence.num_rows; ++i) {
        const std::int32_t position = sequence.first_position + i;
        const std::span<float> row = qkv_.row(row_index(sequence, i));
        for (std::size_t start = 0; start < q_dim_ + kv_dim_; start += head_dim_) {
          rotate(row.subspan(start, head_dim_), position);
        }
        const std::size_t slot = cache_row(sequence, position);
        std::ranges::copy(row.subspan(q_dim_, kv_dim_), cache.keys.row(slot).begin());
        std::ranges::copy(row.last(kv_dim_), cache.values.row(slot).begin());
      }
    }
  }

  void attention(int layer) override {
    attention_ = {q_dim_, std::vector<float>(qkv_.rows() * q_dim_)};
    for (const SequenceRows& sequence : plan_.sequences) {
      attend(sequence, layers_[static_cast<std::size_t>(layer)]);
    }
  }

  void swiglu() override {
    ffn_.columns = gate_up_.columns / 2;
    ffn_.values.resize(gate_up_.rows() * ffn_.columns);
    for (std::size_t row = 0; row < gate_up_.rows(); ++row) {
      reference::swiglu(ffn_.row(row), gate_up_.row(row).first(ffn_.columns),
                        gate_up_.row(row).last(ffn_.columns));
    }
  }

  void linear_add(const Weight& linear, Activation input) override {
    for (std::size_t row = 0; row < hidden_.rows(); ++row) {
      const std::vector<float> y = multiply(own(linear), buffer(input).row(row));
      assert(y.size() == hidden_.columns);
      for (std::size_t i = 0; i < y.size(); ++i) hidden_.row(row)[i] += y[i];
    }
  }

  void logits(const Weight& norm, const Weight& head) override {
    logits_ = {own(head).matrix.rows(), {}};
    for (const std::int32_t row : plan_.logit_rows) {
      append_product(norm, head, static_cast<std::size_t>(row), logits_);
    }
  }

  std::vector<SampledToken> sample(const SamplePlan& plan) override {
    const int num_tokens = drawable_tokens(shape_);
    std::vector<SampledToken> tokens;
    for (const SampleRow& row : plan) {
      assert(row.logits_row >= 0 && static_cast<std::size_t>(row.logits_row) < plan_.logit_rows.size());
      std::vector<reference::SeenToken> seen;
      for (const TokenCount& token : row.seen) {
        if (token.token_id < num_tokens) seen.push_back({token.token_id, token.count});
      }
      const auto logits = logits_.row(static_cast<std::size_t>(row.logits_row))
                              .first(std::min(static_cast<std::size_t>(num_tokens), logits_.columns));
      const reference::Sample drawn = reference::sample(logits, sample_settings(row, seen));
      SampledToken& token = tokens.emplace_back();
      token.token_id = drawn.token_id;
      token.finite = drawn.finite;
      token.logprob = drawn.logprob;
      for (const reference::TokenLogprob& top : drawn.top) token.top.push_back({top.token_id, top.logprob});
    }
    return tokens;
  }

  std::vector<float> read_logits(int index) override {
    const std::span<const float> row = logits_.row(static_cast<std::size_t>(index));
    return {row.begin(), row.end()};
  }

  std::string_view name() const override { return "reference"; }

 private:
  struct LayerCache {
    FloatMatrix keys;    // [num_blocks * kBlockTokens, kv_heads * head_dim]
    FloatMatrix values;  // the same
  };

  FloatMatrix& buffer(Activation activation) {
    switch (activation) {
      case Activation::hidden:
        return hidden_;
      case Activation::qkv:
        return qkv_;
      case Activation::attention:
        return attention_;
      case Activation::gate_up:
        return gate_up_;
      case Activation::ffn:
        break;
    }
    return ffn_;
  }

  void append_product(const Weight& norm, const Weight& linear, std::size_t row, FloatMatrix& target) const {
    std::vector<float> normed(hidden_.columns);
    reference::rms_norm(normed, hidden_.row(row), own(norm).matrix.row(0), shape_.norm_epsilon);
    const std::vector<float> y = multiply(own(linear), normed);
    target.values.insert(target.values.end(), y.begin(), y.end());
  }

  void rotate(std::span<float> head, std::int32_t position) const {
    const bool adjacent = shape_.rope_layout == RopeLayout::adjacent;
    reference::rope(head, position, shape_.rope_inverse_frequencies,
                    adjacent ? reference::RopePairs::adjacent : reference::RopePairs::halves);
  }

  static std::size_t row_index(const SequenceRows& sequence, std::int32_t i) {
    return static_cast<std::size_t>(sequence.first_row) + static_cast<std::size_t>(i);
  }

  // Row of the cache that holds a position of the sequence.
  std::size_t cache_row(const SequenceRows& sequence, std::int32_t position) const {
    const std::int32_t entry = sequence.first_block + position / kBlockTokens;
    return static_cast<std::size_t>(plan_.block_table[static_cast<std::size_t>(entry)]) * kBlockTokens +
           static_cast<std::size_t>(position % kBlockTokens);
  }

  // Rows of `cache` for positions 0 .. end - 1 of the sequence, one KV head of each, as one array.
  std::vector<float> gather(const SequenceRows& sequence, const FloatMatrix& cache, std::size_t kv_head,
                            std::int32_t end) const {
    std::vector<float> rows;
    for (std::int32_t position = 0; position < end; ++position) {
      const auto head = cache.row(cache_row(sequence, position)).subspan(kv_head * head_dim_, head_dim_);
      rows.insert(rows.end(), head.begin(), head.end());
    }
    return rows;
  }

  void attend(const SequenceRows& sequence, const LayerCache& cache) {
    const std::size_t group = q_dim_ / kv_dim_;
    const std::int32_t end = sequence.first_position + sequence.num_rows;
    for (std::size_t kv_head = 0; kv_head < kv_dim_ / head_dim_; ++kv_head) {
      const std::vector<float> keys = gather(sequence, cache.keys, kv_head, end);
      const std::vector<float> values = gather(sequence, cache.values, kv_head, end);
      for (std::int32_t i = 0; i < sequence.num_rows; ++i) {
        const std::int32_t num_keys = sequence.first_position + i + 1;
        const std::size_t row = row_index(sequence, i);
        for (std::size_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
          const reference::AttentionInput input{.query = qkv_.row(row).subspan(head * head_dim_, head_dim_),
                                                .keys = keys.data(),
                                                .values = values.data(),
                                                .num_keys = static_cast<std::size_t>(num_keys),
                                                .stride = head_dim_};
          reference::attention(attention_.row(row).subspan(head * head_dim_, head_dim_), input);
        }
      }
    }
  }

  const ModelShape shape_;
  const std::size_t head_dim_;
  const std::size_t q_dim_;   // heads * head_dim
  const std::size_t kv_dim_;  // kv_heads * head_dim
  std::vector<LayerCache> layers_;
  StepPlan plan_;       // of the current step
  FloatMatrix hidden_;  // one row for each token of the step, as are the next four
  FloatMatrix qkv_;
  FloatMatrix attention_;
  FloatMatrix gate_up_;
  FloatMatrix ffn_;
  FloatMatrix logits_;  // one row for each of plan_.logit_rows
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(const BackendOptions& options) {
  return std::make_unique<ReferenceBackend>(options);
}

}  // namespace parley::inference::backend
