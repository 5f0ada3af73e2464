#include <gtest/gtest.h>

#include "inference/backend/backend.h"

namespace parley::inference::backend {
namespace {

ModelShape shape_of(int num_layers, int num_kv_heads, int head_dim) {
  ModelShape shape;
  shape.num_layers = num_layers;
  shape.num_kv_heads = num_kv_heads;
  shape.head_dim = head_dim;
  return shape;
}

TEST(KvBlock, counts_keys_and_values_of_all_layers) {
  const ModelShape shape = shape_of(24, 2, 64);
  EXPECT_EQ(kv_block_bytes(shape, KvType::f16), 24U * 16 * 2 * 2 * 64 * 2);
  EXPECT_EQ(kv_block_bytes(shape, KvType::f32), 24U * 16 * 2 * 2 * 64 * 4);
}

TEST(KvBlock, does_not_overflow_for_the_largest_shapes) {
  const ModelShape shape = shape_of(1024, 4096, 1024);
  EXPECT_EQ(kv_block_bytes(shape, KvType::f32), std::size_t{1024} * 16 * 2 * 4096 * 1024 * 4);
}

}  // namespace
}  // namespace parley::inference::backend
