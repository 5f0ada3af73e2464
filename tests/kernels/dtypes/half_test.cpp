#include "kernels/dtypes/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace parley::kernels::dtypes {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Half, EveryPatternSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const float value = half_to_float(static_cast<std::uint16_t>(bits));
    const bool nan = (bits & 0x7c00u) == 0x7c00u && (bits & 0x3ffu) != 0;
    ASSERT_EQ(std::isnan(value), nan) << bits;
    ASSERT_EQ(float_to_half(value), nan ? bits | 0x200u : bits);
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(half_to_float(0x3c00), 1.0f);
  EXPECT_EQ(half_to_float(0xc000), -2.0f);
  EXPECT_EQ(half_to_float(0x7bff), 65504.0f);
  EXPECT_EQ(half_to_float(0x0001), 0x1p-24f);
  EXPECT_EQ(half_to_float(0x7c00), kInfinity);
  EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
}

TEST(Half, RoundsToNearestTiesToEven) {
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f), 0x3c00);             // halfway, even below
  EXPECT_EQ(float_to_half(1.0f + 3 * 0x1p-11f), 0x3c02);         // halfway, even above
  EXPECT_EQ(float_to_half(1.0f + 0x1p-11f + 0x1p-20f), 0x3c01);  // above halfway
  EXPECT_EQ(float_to_half(0x1p-25f), 0x0000);                    // halfway to the least subnormal
  EXPECT_EQ(float_to_half(0x1.8p-25f), 0x0001);
  EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(float_to_half(-kInfinity), 0xfc00);
}

TEST(Half, BetweenTwoNeighboursTheNearerOneIsTaken) {
  for (std::uint32_t bits = 0; bits < 0x7bffu; ++bits) {
    const double low = half_to_float(static_cast<std::uint16_t>(bits));
    const double high = half_to_float(static_cast<std::uint16_t>(bits + 1));
    ASSERT_EQ(float_to_half(static_cast<float>(low + 0.25 * (high - low))), bits);
    ASSERT_EQ(float_to_half(static_cast<float>(low + 0.75 * (high - low))), bits + 1);
    ASSERT_EQ(float_to_half(static_cast<float>(low + 0.5 * (high - low))), bits + (bits & 1u));
  }
}

TEST(BFloat16, EveryPatternSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const float value = bfloat16_to_float(static_cast<std::uint16_t>(bits));
    const bool nan = std::isnan(value);
    ASSERT_EQ(float_to_bfloat16(value), nan ? bits | 0x40u : bits);
  }
}

TEST(BFloat16, RoundsToNearestTiesToEvenAndKeepsNan) {
  EXPECT_EQ(float_to_bfloat16(std::bit_cast<float>(0x3f808000u)), 0x3f80);
  EXPECT_EQ(float_to_bfloat16(std::bit_cast<float>(0x3f818000u)), 0x3f82);
  EXPECT_EQ(float_to_bfloat16(std::bit_cast<float>(0x3f808001u)), 0x3f81);
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(float_to_bfloat16(std::bit_cast<float>(0x7f800001u)), 0x7fc0);
}

}  // namespace
}  // namespace parley::kernels::dtypes
