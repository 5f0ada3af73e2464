#pragma once
// Attention of an encoder, each token over all tokens of its sequence, on the float kernels' spans. Memory
// for one thread of the pool; every thread has its own. Throws std::bad_alloc when constructed.

#include <cstdint>
#include <vector>

#include "inference/encoder/encoder_config.h"
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/huge_buffer.h"

namespace parley::inference::encoder {

// One head of one sequence.
struct HeadRows {
  const float* qkv = nullptr;  // [num_tokens, 3 * hidden_dim]: queries, keys, values of all heads
  float* out = nullptr;        // [num_tokens, hidden_dim]
  int num_tokens = 0;
  int head = 0;
};

class CpuAttention {
 public:
  CpuAttention(const EncoderConfig& config, const kernels::cpu::FloatKernels& kernels);

  void run(const HeadRows& rows);

 private:
  void load(const HeadRows& rows);
  void attend(int span, int num_tokens, const kernels::cpu::AttentionState& out);

  const kernels::cpu::FloatKernels& kernels_;
  const std::size_t hidden_dim_, head_dim_;
  kernels::cpu::HugeBuffer memory_;
  float* keys_ = nullptr;     // [blocks, head_dim, 16 tokens]
  float* values_ = nullptr;   // [blocks, 16 tokens, head_dim]
  float* queries_ = nullptr;  // [tokens, head_dim]
  float* scratch_ = nullptr;
  kernels::cpu::AttentionState state_, next_;
  std::vector<const void*> key_blocks_, value_blocks_;
  std::vector<std::int32_t> visible_;
};

}  // namespace parley::inference::encoder
