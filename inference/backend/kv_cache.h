#pragma once
// KV blocks of the CPU backend: [block][layer] of keys [kv head][head_dim][16 tokens], then values
// [kv head][16 tokens][head_dim]. A block of all layers is one piece of memory, so memory is taken as blocks
// are first used, and keys lie in the order in which attention multiplies them. Belongs to the engine's
// thread; threads of a job may read any block and write slots that are theirs. Throws std::runtime_error when
// the memory cannot be had.

#include <cstddef>
#include <cstdint>

#include "inference/backend/backend.h"
#include "kernels/cpu/float_kernels.h"
#include "kernels/cpu/huge_buffer.h"

namespace parley::inference::backend {

class KvCache {
 public:
  explicit KvCache(const BackendOptions& options);

  kernels::cpu::KvElement element() const { return element_; }
  std::int32_t num_blocks() const { return num_blocks_; }

  // Keys and values of a layer's first KV head; head_bytes() further come those of the next.
  std::byte* keys(std::int32_t block, int layer) const;
  std::byte* values(std::int32_t block, int layer) const { return keys(block, layer) + layer_bytes_ / 2; }
  std::size_t head_bytes() const { return head_bytes_; }

 private:
  kernels::cpu::KvElement element_;
  std::int32_t num_blocks_ = 0;
  std::size_t block_bytes_ = 0;
  std::size_t layer_bytes_ = 0;
  std::size_t head_bytes_ = 0;
  kernels::cpu::HugeBuffer memory_;
};

}  // namespace parley::inference::backend
