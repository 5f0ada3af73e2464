#include "kernels/cpu/panel_traits.h"

#include <gtest/gtest.h>

namespace parley::kernels::cpu {
namespace {

using dtypes::DType;

TEST(PanelTraits, EachTypeHasAFormatAndOnlyFloatsAreFloats) {
  const struct {
    DType dtype;
    PanelFormat format;
    bool is_float;
  } cases[] = {
      {DType::f32, PanelFormat::f32, true},           {DType::f16, PanelFormat::f16, true},
      {DType::bf16, PanelFormat::bf16, true},         {DType::q4_0, PanelFormat::p4_half, false},
      {DType::q4_1, PanelFormat::p4_half_min, false}, {DType::q5_0, PanelFormat::p5_half, false},
      {DType::q5_1, PanelFormat::p5_half_min, false}, {DType::q8_0, PanelFormat::p8_half, false},
      {DType::q4_k, PanelFormat::p4_sub_min, false},  {DType::q5_k, PanelFormat::p5_sub_min, false},
      {DType::q6_k, PanelFormat::p6_sub_16, false},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(panel_format(c.dtype), c.format) << dtypes::traits(c.dtype).name;
    EXPECT_EQ(is_float_format(c.format), c.is_float) << dtypes::traits(c.dtype).name;
  }
}

// A unit by hand: header, then 16 outputs times its columns times the bits.
TEST(PanelTraits, UnitsHaveTheSizesOfTheLayout) {
  const struct {
    PanelFormat format;
    std::size_t unit_bytes;
    int unit_columns;
  } cases[] = {
      {PanelFormat::p4_half, 64 + 512, 64},       {PanelFormat::p4_half_min, 128 + 512, 64},
      {PanelFormat::p4_sub_min, 320 + 2048, 256}, {PanelFormat::p5_half, 64 + 640, 64},
      {PanelFormat::p5_half_min, 128 + 640, 64},  {PanelFormat::p5_sub_min, 320 + 2560, 256},
      {PanelFormat::p6_sub_16, 320 + 3072, 256},  {PanelFormat::p8_half, 64 + 1024, 64},
  };
  for (const auto& c : cases) {
    const PanelTraits traits = panel_traits(c.format);
    EXPECT_EQ(traits.unit_columns, c.unit_columns);
    EXPECT_EQ(traits.unit_bytes(), c.unit_bytes);
    EXPECT_EQ(traits.unit_bytes() % 64, 0u) << "everything is aligned";
    EXPECT_EQ(panel_bytes(c.format, c.unit_columns), c.unit_bytes);
    EXPECT_EQ(panel_bytes(c.format, 2 * c.unit_columns), 2 * c.unit_bytes);
    EXPECT_EQ(panel_bytes(c.format, c.unit_columns + 32), 2 * c.unit_bytes)
        << "a last unit may be part filled";
  }
}

TEST(PanelTraits, FloatPanelsHaveNothingButTheirValues) {
  EXPECT_EQ(panel_bytes(PanelFormat::f32, 7), 7u * 16 * 4);
  EXPECT_EQ(panel_bytes(PanelFormat::f16, 7), 7u * 16 * 2);
  EXPECT_EQ(panel_bytes(PanelFormat::bf16, 1), 32u);
}

}  // namespace
}  // namespace parley::kernels::cpu
