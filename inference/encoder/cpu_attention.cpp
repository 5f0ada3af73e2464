#include "inference/encoder/cpu_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::inference::encoder {
namespace {

using kernels::cpu::AttentionState;
using kernels::cpu::kKvBlockTokens;
using kernels::cpu::kSpanBlocks;
using kernels::cpu::kSpanTokens;

constexpr std::size_t kLineFloats = 16;  // of a cache line

std::size_t lines(std::size_t floats) { return (floats + kLineFloats - 1) / kLineFloats * kLineFloats; }
int num_blocks(int num_tokens) { return (num_tokens + kKvBlockTokens - 1) / kKvBlockTokens; }

}  // namespace

CpuAttention::CpuAttention(const EncoderConfig& config, const kernels::cpu::FloatKernels& kernels)
    : kernels_(kernels),
      hidden_dim_(static_cast<std::size_t>(config.hidden_dim)),
      head_dim_(static_cast<std::size_t>(config.head_dim())) {
  const auto blocks = static_cast<std::size_t>(num_blocks(config.max_tokens));
  const std::size_t tokens = blocks * kKvBlockTokens;
  const std::size_t rows = lines(tokens * head_dim_);
  const std::size_t scratch = lines(kernels::cpu::attention_scratch_floats(config.head_dim()));
  memory_ = kernels::cpu::HugeBuffer((5 * rows + 4 * lines(tokens) + scratch) * sizeof(float));
  float* at = memory_.as<float>();
  const auto take = [&at](std::size_t floats) { return std::exchange(at, at + floats); };
  keys_ = take(rows);
  values_ = take(rows);
  queries_ = take(rows);
  for (AttentionState* state : {&state_, &next_})
    *state = {take(lines(tokens)), take(lines(tokens)), take(rows)};
  scratch_ = take(scratch);
  const std::size_t block_floats = head_dim_ * kKvBlockTokens;
  for (std::size_t i = 0; i < blocks; ++i) {
    key_blocks_.push_back(keys_ + i * block_floats);
    value_blocks_.push_back(values_ + i * block_floats);
  }
  visible_.resize(tokens);
}

// Slots behind the last token are never visible, but are multiplied: no NaN may be left there.
void CpuAttention::load(const HeadRows& rows) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_dim_));
  const std::size_t block_floats = head_dim_ * kKvBlockTokens;
  const auto last = static_cast<std::size_t>(num_blocks(rows.num_tokens) - 1) * block_floats;
  std::fill_n(keys_ + last, block_floats, 0.0f);
  std::fill_n(values_ + last, block_floats, 0.0f);
  for (int token = 0; token < rows.num_tokens; ++token) {
    const float* query = rows.qkv + static_cast<std::size_t>(token) * 3 * hidden_dim_ +
                         static_cast<std::size_t>(rows.head) * head_dim_;
    const auto place = static_cast<std::size_t>(token / kKvBlockTokens) * block_floats;
    kernels_.store_kv({.keys = query + hidden_dim_,
                       .values = query + 2 * hidden_dim_,
                       .block_keys = keys_ + place,
                       .block_values = values_ + place,
                       .num_kv_heads = 1,
                       .head_dim = static_cast<int>(head_dim_),
                       .slot = token % kKvBlockTokens,
                       .element = kernels::cpu::KvElement::f32});
    float* target = queries_ + static_cast<std::size_t>(token) * head_dim_;
    for (std::size_t i = 0; i < head_dim_; ++i) target[i] = query[i] * scale;
  }
}

void CpuAttention::attend(int span, int num_tokens, const AttentionState& out) {
  const int tokens = std::min(num_tokens - span * kSpanTokens, kSpanTokens);
  std::fill_n(visible_.begin(), num_tokens, tokens);
  const auto first = static_cast<std::size_t>(span) * kSpanBlocks;
  kernels_.attend_span({.queries = queries_,
                        .keys = key_blocks_.data() + first,
                        .values = value_blocks_.data() + first,
                        .next_keys = nullptr,
                        .visible = visible_.data(),
                        .scratch = scratch_,
                        .rows = num_tokens,
                        .num_blocks = num_blocks(tokens),
                        .head_dim = static_cast<int>(head_dim_),
                        .element = kernels::cpu::KvElement::f32},
                       out);
}

void CpuAttention::run(const HeadRows& rows) {
  load(rows);
  attend(0, rows.num_tokens, state_);
  for (int span = 1; span * kSpanTokens < rows.num_tokens; ++span) {
    attend(span, rows.num_tokens, next_);
    kernels_.merge_spans(state_, next_, rows.num_tokens, static_cast<int>(head_dim_));
  }
  for (int token = 0; token < rows.num_tokens; ++token) {
    float* out = rows.out + static_cast<std::size_t>(token) * hidden_dim_ +
                 static_cast<std::size_t>(rows.head) * head_dim_;
    kernels_.finish_attention(out, state_, token, static_cast<int>(head_dim_));
  }
}

}  // namespace parley::inference::encoder
