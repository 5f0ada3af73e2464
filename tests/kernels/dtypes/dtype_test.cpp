#include "kernels/dtypes/dtype.h"

#include <gtest/gtest.h>

namespace parley::kernels::dtypes {
namespace {

TEST(DType, RowBytesCountWholeBlocks) {
  EXPECT_EQ(row_bytes(DType::f32, 7), 28u);
  EXPECT_EQ(row_bytes(DType::bf16, 7), 14u);
  EXPECT_EQ(row_bytes(DType::q4_0, 64), 36u);
  EXPECT_EQ(row_bytes(DType::q8_0, 32), 34u);
  EXPECT_EQ(row_bytes(DType::q4_k, 512), 288u);
  EXPECT_EQ(row_bytes(DType::q6_k, 0), 0u);
}

TEST(DType, RowBytesDoNotOverflowAtVocabularySize) {
  EXPECT_EQ(row_bytes(DType::f32, std::int64_t{1} << 31), std::size_t{1} << 33);
}

// Bits a weight of each type, from the GGUF specification.
TEST(DType, BlockSizesGiveTheKnownBitsPerWeight) {
  const auto bits = [](DType dtype) {
    return 8.0 * traits(dtype).block_bytes / traits(dtype).block_elements;
  };
  EXPECT_DOUBLE_EQ(bits(DType::q4_0), 4.5);
  EXPECT_DOUBLE_EQ(bits(DType::q4_1), 5.0);
  EXPECT_DOUBLE_EQ(bits(DType::q5_0), 5.5);
  EXPECT_DOUBLE_EQ(bits(DType::q5_1), 6.0);
  EXPECT_DOUBLE_EQ(bits(DType::q8_0), 8.5);
  EXPECT_DOUBLE_EQ(bits(DType::q4_k), 4.5);
  EXPECT_DOUBLE_EQ(bits(DType::q5_k), 5.5);
  EXPECT_DOUBLE_EQ(bits(DType::q6_k), 6.5625);
}

}  // namespace
}  // namespace parley::kernels::dtypes
