#include "inference/backend/kv_cache.h"

#include <cassert>
#include <stdexcept>
#include <string>

namespace parley::inference::backend {
namespace {

static_assert(kBlockTokens == kernels::cpu::kKvBlockTokens);

kernels::cpu::HugeBuffer reserve(std::size_t bytes) {
  kernels::cpu::HugeBuffer memory = kernels::cpu::HugeBuffer::try_reserve(bytes);
  if (memory.bytes() == bytes) return memory;
  throw std::runtime_error("cannot reserve " + std::to_string(bytes >> 20) +
                           " MiB for the KV cache; lower the KV memory or the context");
}

}  // namespace

KvCache::KvCache(const BackendOptions& options)
    : element_(options.kv_type == KvType::f16 ? kernels::cpu::KvElement::f16 : kernels::cpu::KvElement::f32),
      num_blocks_(options.num_blocks),
      block_bytes_(kv_block_bytes(options.shape, options.kv_type)),
      layer_bytes_(block_bytes_ / static_cast<std::size_t>(options.shape.num_layers)),
      head_bytes_(layer_bytes_ / 2 / static_cast<std::size_t>(options.shape.num_kv_heads)),
      memory_(reserve(block_bytes_ * static_cast<std::size_t>(options.num_blocks))) {}

std::byte* KvCache::keys(std::int32_t block, int layer) const {
  assert(block >= 0 && block < num_blocks_);
  return memory_.data() + static_cast<std::size_t>(block) * block_bytes_ +
         static_cast<std::size_t>(layer) * layer_bytes_;
}

}  // namespace parley::inference::backend
