#include "kernels/dtypes/quant_block.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::kernels::dtypes {
namespace {

constexpr DType kQuantized[] = {DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1,
                                DType::q8_0, DType::q4_k, DType::q5_k, DType::q6_k};

TEST(QuantBlock, SaysWhichTypesAreQuantised) {
  EXPECT_FALSE(is_quantized(DType::f32));
  EXPECT_FALSE(is_quantized(DType::f16));
  EXPECT_FALSE(is_quantized(DType::bf16));
  for (const DType dtype : kQuantized) EXPECT_TRUE(is_quantized(dtype));
}

TEST(QuantBlock, ValuesCoverTheRangeOfTheirType) {
  struct Range {
    int low, high;
  };
  const Range ranges[] = {{-8, 7}, {0, 15}, {-16, 15}, {0, 31}, {-128, 127}, {0, 15}, {0, 31}, {-32, 31}};
  for (std::size_t i = 0; i < std::size(kQuantized); ++i) {
    const DTypeTraits& type = traits(kQuantized[i]);
    int low = 1000;
    int high = -1000;
    for (const int fill : {0x00, 0x7f, 0x80, 0xff}) {
      const std::vector<std::byte> bytes(static_cast<std::size_t>(type.block_bytes),
                                         static_cast<std::byte>(fill));
      QuantBlock block;
      unpack_block(kQuantized[i], bytes.data(), block);
      for (int k = 0; k < type.block_elements; ++k) {
        low = std::min<int>(low, block.values[k]);
        high = std::max<int>(high, block.values[k]);
      }
    }
    EXPECT_EQ(low, ranges[i].low) << type.name;
    EXPECT_EQ(high, ranges[i].high) << type.name;
  }
}

TEST(QuantBlock, SplitsTheTwelveBytesOfKScales) {
  // Group g has scale 5 * g + 1 and minimum 63 - 7 * g, laid out by hand as the format says.
  std::uint8_t packed[12] = {};
  for (int g = 0; g < 8; ++g) {
    const int scale = 5 * g + 1;
    const int minimum = 63 - 7 * g;
    if (g < 4) {
      packed[g] = static_cast<std::uint8_t>(packed[g] | scale);
      packed[g + 4] = static_cast<std::uint8_t>(packed[g + 4] | minimum);
    } else {
      packed[g + 4] = static_cast<std::uint8_t>((scale & 15) | ((minimum & 15) << 4));
      packed[g - 4] = static_cast<std::uint8_t>(packed[g - 4] | ((scale >> 4) << 6));
      packed[g] = static_cast<std::uint8_t>(packed[g] | ((minimum >> 4) << 6));
    }
  }
  std::uint8_t scales[8];
  std::uint8_t minima[8];
  unpack_k_scales(reinterpret_cast<const std::byte*>(packed), scales, minima);
  for (int g = 0; g < 8; ++g) {
    EXPECT_EQ(scales[g], 5 * g + 1);
    EXPECT_EQ(minima[g], 63 - 7 * g);
  }
}

}  // namespace
}  // namespace parley::kernels::dtypes
