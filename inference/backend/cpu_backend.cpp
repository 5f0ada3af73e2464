// Quantised products on the CPU. The engine's thread is compute thread 0; a stage is one job of the pool, or
// no job at all when it is too small to be worth a join: with one row, norm_linear, attention, linear_add,
// norm_linear and linear_add are five joins a layer.

#include <algorithm>
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>

#include "inference/backend/backend.h"
#include "inference/backend/cpu_attention.h"
#include "inference/backend/cpu_linear_stage.h"
#include "inference/backend/cpu_step.h"
#include "inference/backend/cpu_weight.h"
#include "inference/backend/kv_cache.h"
#include "kernels/cpu/sample.h"

namespace parley::inference::backend {
namespace {

namespace cpu = kernels::cpu;
namespace reference = kernels::reference;

constexpr int kInlineRows = 4;            // rows of cheap work that thread 0 does alone
constexpr int kInlineAttentionKeys = 64;  // keys times heads below which a join costs more than it saves

std::size_t size(int value) { return static_cast<std::size_t>(value); }

const cpu::PackedLinear& linear_of(const Weight& weight) {
  return static_cast<const CpuLinear&>(weight).layer;
}

const std::vector<float>& vector_of(const Weight& weight) {
  return static_cast<const CpuVector&>(weight).values;
}

cpu::HugeBuffer float_buffer(int rows, int columns) {
  return cpu::HugeBuffer(size(rows) * size(columns) * sizeof(float));
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const BackendOptions& options)
      : shape_(options.shape),
        q_dim_(shape_.num_heads * shape_.head_dim),
        kv_dim_(shape_.num_kv_heads * shape_.head_dim),
        isa_(cpu::selected_isa()),
        name_("cpu " + std::string(cpu::isa_name(isa_))),
        kernels_(cpu::float_kernels(isa_)),
        shared_pool_(options.pool ? options.pool : make_compute_pool(options.num_threads)),
        pool_(*shared_pool_),
        cache_(options),
        step_(shape_, options.max_rows),
        attention_stage_(shape_, kernels_, cache_, pool_.num_threads()),
        linear_stage_(isa_, pool_, options.max_rows, std::max({shape_.hidden_dim, q_dim_, shape_.ffn_dim})),
        hidden_(float_buffer(options.max_rows, shape_.hidden_dim)),
        qkv_(float_buffer(options.max_rows, q_dim_ + 2 * kv_dim_)),
        attention_(float_buffer(options.max_rows, q_dim_)),
        gate_up_(float_buffer(options.max_rows, 2 * shape_.ffn_dim)),
        logits_(float_buffer(options.max_rows, shape_.vocab_size)) {
    for (int i = 0; i < pool_.num_threads(); ++i) samplers_.emplace_back(isa_);
  }

  WeightHandle load(const WeightSource& source) override { return load_cpu_weight(source, arena_, pool_); }

  void embed(const StepPlan& plan, const Weight& table) override {
    const cpu::PackedLinear& rows = linear_of(table);
    assert(rows.columns() == shape_.hidden_dim && rows.outputs() == shape_.vocab_size);
    step_.begin(plan, cache_.num_blocks());
    attention_stage_.begin_step(step_.plan());
    pool_.begin_step();
    for_rows([&](int row) {
      const std::int32_t token = plan.token_ids[size(row)];
      assert(token >= 0 && token < rows.outputs());
      rows.unpack_row(token,
                      {hidden_.as<float>() + size(row) * size(shape_.hidden_dim), size(shape_.hidden_dim)});
      step_.prepare_rope(row);
    });
  }

  void norm_linear(const Weight& norm, const Weight& linear, Activation out) override {
    const cpu::PackedLinear& layer = linear_of(linear);
    assert(layer.columns() == shape_.hidden_dim && layer.outputs() == columns(out));
    linear_stage_.run(layer,
                      {.form = LinearRows::Form::normed,
                       .values = hidden_.as<float>(),
                       .rows = step_.num_rows(),
                       .norm = vector_of(norm).data(),
                       .norm_epsilon = shape_.norm_epsilon},
                      {.values = out == Activation::qkv ? qkv_.as<float>() : gate_up_.as<float>(),
                       .row_stride = size(columns(out))});
  }

  void rope_store_kv(int layer) override {
    for_rows([&](int row) {
      float* qkv = qkv_.as<float>() + size(row) * size(q_dim_ + 2 * kv_dim_);
      kernels_.rope(step_.rope(row, qkv, shape_.num_heads + shape_.num_kv_heads));
      kernels_.store_kv({.keys = qkv + q_dim_,
                         .values = qkv + q_dim_ + kv_dim_,
                         .block_keys = cache_.keys(step_.block(row), layer),
                         .block_values = cache_.values(step_.block(row), layer),
                         .num_kv_heads = shape_.num_kv_heads,
                         .head_dim = shape_.head_dim,
                         .slot = step_.position(row) % kBlockTokens,
                         .element = cache_.element()});
    });
  }

  void attention(int layer) override {
    attention_stage_.begin_layer(layer, {.queries = qkv_.as<float>(),
                                         .query_stride = size(q_dim_ + 2 * kv_dim_),
                                         .out = attention_.as<float>()});
    auto job = [&](int thread) { attention_stage_.run(thread); };
    if (step_.num_rows() == 1 && step_.position(0) < kInlineAttentionKeys) {
      job(0);
    } else {
      pool_.run(job);
    }
  }

  // Done row by row as linear_add makes its input ready, so that it needs neither a join nor a buffer.
  void swiglu() override { gated_ = true; }

  void linear_add(const Weight& linear, Activation input) override {
    const cpu::PackedLinear& layer = linear_of(linear);
    assert(layer.columns() == columns(input) && layer.outputs() == shape_.hidden_dim);
    LinearRows rows{.values = attention_.as<float>(), .rows = step_.num_rows()};
    if (input == Activation::ffn) {
      assert(gated_);
      gated_ = false;
      rows.form = LinearRows::Form::gated;
      rows.values = gate_up_.as<float>();
    }
    linear_stage_.run(
        layer, rows,
        {.values = hidden_.as<float>(), .row_stride = size(shape_.hidden_dim), .store = cpu::Store::add});
  }

  void logits(const Weight& norm, const Weight& head) override {
    const cpu::PackedLinear& layer = linear_of(head);
    assert(layer.columns() == shape_.hidden_dim && layer.outputs() == shape_.vocab_size);
    const std::vector<std::int32_t>& rows = step_.plan().logit_rows;
    if (rows.empty()) return;
    linear_stage_.run(layer,
                      {.form = LinearRows::Form::normed,
                       .values = hidden_.as<float>(),
                       .rows = static_cast<int>(rows.size()),
                       .row_ids = rows.data(),
                       .norm = vector_of(norm).data(),
                       .norm_epsilon = shape_.norm_epsilon},
                      {.values = logits_.as<float>(), .row_stride = size(shape_.vocab_size)});
  }

  std::vector<SampledToken> sample(const SamplePlan& plan) override {
    std::vector<SampledToken> tokens(plan.size());
    std::atomic<std::size_t> next{0};
    auto job = [&](int thread) {
      for (std::size_t i = next.fetch_add(1); i < plan.size(); i = next.fetch_add(1)) {
        tokens[i] = draw(samplers_[size(thread)], plan[i]);
      }
    };
    if (plan.size() <= 1) {
      job(0);
    } else {
      pool_.run(job);
    }
    return tokens;
  }

  std::vector<float> read_logits(int index) override {
    assert(index >= 0 && size(index) < step_.plan().logit_rows.size());
    const std::span<const float> row = logits_row(size(index));
    return {row.begin(), row.end()};
  }

  std::string_view name() const override { return name_; }

 private:
  // work(row) for each row of the step, over all threads when there are many.
  template <typename Work>
  void for_rows(const Work& work) {
    const int rows = step_.num_rows();
    auto job = [&](int thread) {
      const cpu::WorkRange range =
          rows <= kInlineRows ? cpu::WorkRange{0, rows} : cpu::split_work(rows, pool_.num_threads(), thread);
      for (int row = range.begin; row < range.end; ++row) work(row);
    };
    if (rows <= kInlineRows) {
      job(0);
    } else {
      pool_.run(job);
    }
  }

  int columns(Activation activation) const {
    switch (activation) {
      case Activation::hidden:
        return shape_.hidden_dim;
      case Activation::qkv:
        return q_dim_ + 2 * kv_dim_;
      case Activation::attention:
        return q_dim_;
      case Activation::gate_up:
        return 2 * shape_.ffn_dim;
      case Activation::ffn:
        break;
    }
    return shape_.ffn_dim;
  }

  std::span<float> logits_row(std::size_t index) const {
    return {logits_.as<float>() + index * size(shape_.vocab_size), size(shape_.vocab_size)};
  }

  SampledToken draw(cpu::Sampler& sampler, const SampleRow& row) const {
    assert(row.logits_row >= 0 && size(row.logits_row) < step_.plan().logit_rows.size());
    const int num_tokens = drawable_tokens(shape_);
    std::vector<reference::SeenToken> seen;
    if (row.repeat_penalty != 1.0f) {
      for (const TokenCount& token : row.seen) {
        if (token.token_id < num_tokens) seen.push_back({token.token_id, token.count});
      }
    }
    const reference::Sample drawn = sampler.sample(logits_row(size(row.logits_row)).first(size(num_tokens)),
                                                   {.temperature = row.temperature,
                                                    .top_k = row.top_k,
                                                    .top_p = row.top_p,
                                                    .min_p = row.min_p,
                                                    .repeat_penalty = row.repeat_penalty,
                                                    .seen = seen,
                                                    .allowed = row.allowed,
                                                    .seed = row.seed,
                                                    .draw = row.draw,
                                                    .num_logprobs = row.num_logprobs});
    SampledToken token;
    token.token_id = drawn.token_id;
    token.finite = drawn.finite;
    token.logprob = drawn.logprob;
    for (const reference::TokenLogprob& top : drawn.top) token.top.push_back({top.token_id, top.logprob});
    return token;
  }

  const ModelShape shape_;
  const int q_dim_;   // heads * head_dim
  const int kv_dim_;  // kv_heads * head_dim
  const cpu::Isa isa_;
  const std::string name_;
  const cpu::FloatKernels& kernels_;
  cpu::WeightArena arena_;
  const std::shared_ptr<cpu::ComputePool> shared_pool_;
  cpu::ComputePool& pool_;
  KvCache cache_;
  CpuStep step_;
  CpuAttention attention_stage_;
  CpuLinearStage linear_stage_;
  std::vector<cpu::Sampler> samplers_;  // [threads]
  bool gated_ = false;                  // swiglu() was asked for since gate_up was written
  // [max_rows, columns(...)] f32; pages take memory when they are first used.
  cpu::HugeBuffer hidden_;
  cpu::HugeBuffer qkv_;
  cpu::HugeBuffer attention_;
  cpu::HugeBuffer gate_up_;
  cpu::HugeBuffer logits_;  // [max_rows, vocab]
};

void check_supported(const ModelShape& shape) {
  if (shape.head_dim % 16 == 0 && shape.head_dim > 0) return;
  throw std::runtime_error("heads of " + std::to_string(shape.head_dim) +
                           " values are not supported on the CPU; a multiple of 16 is needed");
}

}  // namespace

std::shared_ptr<cpu::ComputePool> make_compute_pool(int num_threads) {
  return std::make_shared<cpu::ComputePool>(num_threads);
}

std::unique_ptr<Backend> make_cpu_backend(const BackendOptions& options) {
  check_supported(options.shape);
  return std::make_unique<CpuBackend>(options);
}

}  // namespace parley::inference::backend
