#include "inference/backend/backend.h"

namespace parley::inference::backend {

std::size_t kv_block_bytes(const ModelShape& shape, KvType type) {
  const std::size_t value_bytes = type == KvType::f16 ? 2 : 4;
  const std::size_t values = std::size_t{2} * static_cast<std::size_t>(shape.num_kv_heads) *
                             static_cast<std::size_t>(shape.head_dim) * kBlockTokens;  // keys and values
  return values * value_bytes * static_cast<std::size_t>(shape.num_layers);
}

}  // namespace parley::inference::backend
