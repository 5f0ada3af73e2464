#pragma once
// The float stages of a model on one thread: norm, rotary embedding, KV storage, attention, SwiGLU, and
// passes over logits. One table of functions for each instruction set; results are the same in all of them,
// bit for bit, and a row's result depends on nothing but that row (kernels/README.md, "Exactness").
// Plain data and pure functions, any thread; outputs may not overlap inputs unless said. Requirements are not
// checked.

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/logit_scan.h"

namespace parley::kernels::cpu {

enum class Isa : std::uint8_t;  // isa.h

inline constexpr int kKvBlockTokens = 16;  // tokens of a KV block
inline constexpr int kSpanTokens = 256;    // keys of an attention span, aligned to their absolute position
inline constexpr int kSpanBlocks = kSpanTokens / kKvBlockTokens;

enum class KvElement : std::uint8_t { f16, f32 };
enum class RopePairs : std::uint8_t { adjacent, halves };  // (2i, 2i + 1) or (i, i + rope_dim / 2)

// Rotates the first rope_dim values of each head, in place: x[i] = x[i] * cosines[i] + x[partner of i] *
// sines[i].
struct RopeRow {
  float* heads = nullptr;          // [num_heads, head_dim]
  const float* cosines = nullptr;  // [rope_dim]
  const float* sines = nullptr;    // [rope_dim], negative for the first value of a pair
  int num_heads = 0;
  int head_dim = 0;
  int rope_dim = 0;  // even
  RopePairs pairs = RopePairs::adjacent;
};

// Writes one token's keys and values into slot `slot` of a KV block.
struct KvRow {
  const float* keys = nullptr;    // [num_kv_heads, head_dim]
  const float* values = nullptr;  // [num_kv_heads, head_dim]
  void* block_keys = nullptr;     // [num_kv_heads, head_dim, 16 tokens] of `element`
  void* block_values = nullptr;   // [num_kv_heads, 16 tokens, head_dim] of `element`
  int num_kv_heads = 0;
  int head_dim = 0;  // multiple of 16
  int slot = 0;
  KvElement element = KvElement::f16;
};

// Softmax state of some query rows over the keys seen so far; the result is values / sums.
struct AttentionState {
  float* maxima = nullptr;  // [rows] largest score
  float* sums = nullptr;    // [rows] sum of exp(score - maximum)
  float* values = nullptr;  // [rows, head_dim] sum of exp(score - maximum) * value
};

// Query rows of one KV head over one span. Rows are in order of position, so `visible` never falls.
struct AttentionSpan {
  const float* queries = nullptr;          // [rows, head_dim], already divided by sqrt(head_dim)
  const void* const* keys = nullptr;       // [num_blocks] -> [head_dim, 16 tokens] of `element`
  const void* const* values = nullptr;     // [num_blocks] -> [16 tokens, head_dim] of `element`
  const void* const* next_keys = nullptr;  // [2] blocks that will be read next, to fetch ahead; may be null
  const std::int32_t* visible = nullptr;   // [rows] keys of the span that the row sees, 1 .. 16 * num_blocks
  float* scratch = nullptr;                // attention_scratch_floats(head_dim), 64-byte aligned
  int rows = 0;
  int num_blocks = 0;  // 1 .. kSpanBlocks
  int head_dim = 0;    // multiple of 16
  KvElement element = KvElement::f16;
};
constexpr std::size_t attention_scratch_floats(int head_dim) {
  return std::size_t{8} * kSpanTokens + std::size_t{2} * kSpanTokens * static_cast<std::size_t>(head_dim);
}

// out = (x - mean) / sqrt(variance + epsilon) * weight + bias; all [dim] f32, out may be x (Ba et al. 2016,
// eq. 4).
struct LayerNormRow {
  float* out = nullptr;
  const float* x = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  int dim = 0;
  float epsilon = 0.0f;
};

struct FloatKernels {
  // out = x / sqrt(mean(x^2) + epsilon) * weight; all [dim] f32, out may be x. Reads 2 and writes 1 float a
  // value.
  void (*rms_norm)(float* out, const float* x, const float* weight, int dim, float epsilon);
  void (*rope)(const RopeRow& row);
  void (*store_kv)(const KvRow& row);
  // out = gate / (1 + exp(-gate)) * up; all [count] f32, out may be gate or up.
  void (*swiglu)(float* out, const float* gate, const float* up, int count);

  // The state of `span` alone. Reads its keys and values once for up to 8 rows, or widens them once for more.
  void (*attend_span)(const AttentionSpan& span, const AttentionState& out);
  // state = state joined with the state of the next span.
  void (*merge_spans)(const AttentionState& state, const AttentionState& next, int rows, int head_dim);
  // out [head_dim] of row `row` of the state.
  void (*finish_attention)(float* out, const AttentionState& state, int row, int head_dim);

  LogitScan (*scan_logits)(const float* logits, int count);
  void (*exp_weights)(const ExpWeights& work);
  IndexScanResult (*find_above)(const IndexScan& scan);

  void (*layer_norm)(const LayerNormRow& row);
  // out = x * Phi(x), the exact form with the error function, within 2e-7 of x (Hendrycks & Gimpel 2016); all
  // [count] f32, out may be x.
  void (*gelu)(float* out, const float* x, int count);
};

const FloatKernels& float_kernels(Isa isa);

}  // namespace parley::kernels::cpu
