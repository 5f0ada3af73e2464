#pragma once
// The seam between a model's forward pass and the device that runs it: one method per stage.
//
// Activations live on the device in the five buffers below; the host hands in a plan and reads token ids
// back. A step is: embed(plan); per layer norm_linear, rope_store_kv, attention, linear_add, norm_linear,
// swiglu, linear_add; then logits and sample. Calls of one step are made in order by one thread, the engine
// thread.
//
// Results of a row do not depend on the batch it is in, on chunking, on cached or cold prefix, or on the
// number of threads (kernels/README.md, "Exactness"). Throws std::runtime_error when the device fails
// or memory cannot be had; shapes that do not fit are assertions.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/backend/model_shape.h"
#include "inference/backend/step_plan.h"
#include "kernels/dtypes/dtype.h"

namespace parley::kernels::cpu {
class ComputePool;
}

namespace parley::inference::backend {

enum class KvType : std::uint8_t { f16, f32 };

struct BackendOptions {
  ModelShape shape;
  KvType kv_type = KvType::f16;
  std::int32_t num_blocks = 0;  // KV blocks of kBlockTokens tokens, all layers
  int max_rows = 256;           // rows of the largest step
  int num_threads = 2;          // the calling thread is one of them
  // Threads to compute on, shared with whatever else runs on the calling thread; null: `num_threads` of its
  // own.
  std::shared_ptr<kernels::cpu::ComputePool> pool{};
};

// A weight in the backend's own layout; only the backend that made it can use it.
class Weight {
 public:
  virtual ~Weight() = default;
};
using WeightHandle = std::unique_ptr<Weight>;

// Sources are read by Backend::load only: a handle never points into the model file, which may be shortened
// or overwritten while the server runs.

// A norm's weight [dim].
struct VectorSource {
  kernels::dtypes::MatrixView values;
};

// A linear layer y = W x + b of one or more matrices stacked by rows (q, k, v or gate, up); the parts may
// differ in dtype.
struct LinearSource {
  std::vector<kernels::dtypes::MatrixView> parts;   // each [outputs, inputs], equal inputs
  std::vector<kernels::dtypes::MatrixView> biases;  // empty, or one [outputs] vector for each part
};

using WeightSource = std::variant<VectorSource, LinearSource>;

// Device buffers, each [rows, dim] f32 (or the backend's own type) for the rows of the current step.
enum class Activation : std::uint8_t {
  hidden,     // [rows, hidden_dim], the residual stream
  qkv,        // [rows, (heads + 2 * kv_heads) * head_dim]
  attention,  // [rows, heads * head_dim]
  gate_up,    // [rows, 2 * ffn_dim]
  ffn,        // [rows, ffn_dim]
};

class Backend {
 public:
  virtual ~Backend() = default;

  // Converts a weight into the device's layout. Called before the first step, from the engine's thread.
  virtual WeightHandle load(const WeightSource& source) = 0;

  // Starts a step: takes the plan to the device and writes hidden = rows of `table` by token id, its weights
  // as they are stored. A linear weight [vocab, hidden] of one part: a head that is tied to it is held once.
  virtual void embed(const StepPlan& plan, const Weight& table) = 0;
  // out = linear(rms_norm(hidden, norm)); out is qkv or gate_up.
  virtual void norm_linear(const Weight& norm, const Weight& linear, Activation out) = 0;
  // Rotates q and k of `qkv` in place by position and stores k and v in the KV blocks of `layer`.
  virtual void rope_store_kv(int layer) = 0;
  // attention = softmax(q k^T / sqrt(head_dim)) v over the KV cache of `layer`, causal.
  virtual void attention(int layer) = 0;
  // ffn = silu(gate) * up, from gate_up.
  virtual void swiglu() = 0;
  // hidden += linear(input); input is attention or ffn.
  virtual void linear_add(const Weight& linear, Activation input) = 0;
  // Logits of the plan's logit_rows: linear(rms_norm(hidden, norm)), kept on the device.
  virtual void logits(const Weight& norm, const Weight& head) = 0;
  // Draws one token for each row of `plan`, of those that exist (drawable_tokens of the shape). Blocks until
  // the step is done. May be called again until the next step begins: the logits stay.
  virtual std::vector<SampledToken> sample(const SamplePlan& plan) = 0;

  // Copies the logits of logits row `index` [vocab] f32 to the host. For tests and goldens, not for serving.
  virtual std::vector<float> read_logits(int index) = 0;

  // "cpu avx512", "reference"; for logs and benchmarks.
  virtual std::string_view name() const = 0;
};

// Bytes of one KV block over all layers.
std::size_t kv_block_bytes(const ModelShape& shape, KvType type);

// For BackendOptions::pool. Throws std::system_error when a thread cannot be started.
std::shared_ptr<kernels::cpu::ComputePool> make_compute_pool(int num_threads);

// Quantised products on the CPU, instruction set chosen at run time.
std::unique_ptr<Backend> make_cpu_backend(const BackendOptions& options);

// Float weights, f32 activations and KV, naive loops: the oracle for whole models. Ignores kv_type and
// num_threads.
std::unique_ptr<Backend> make_reference_backend(const BackendOptions& options);

}  // namespace parley::inference::backend
