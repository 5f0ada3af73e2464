#include "kernels/cpu/unpack_panel.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/cpu/pack_panel.h"
#include "kernels/cpu/panel_traits.h"
#include "kernels/dtypes/dequantize.h"
#include "kernels/dtypes/quant_block.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

using dtypes::DType;

std::vector<float> unpacked(const dtypes::MatrixView& matrix, std::int64_t row) {
  const PanelFormat format = panel_format(matrix.dtype);
  std::vector<std::byte> panel(panel_bytes(format, matrix.columns));
  pack_panel(matrix, row / kPanelRows * kPanelRows, panel.data());
  std::vector<float> out(static_cast<std::size_t>(matrix.columns));
  unpack_panel_row(format, panel.data(), static_cast<int>(row % kPanelRows), out);
  return out;
}

std::vector<float> decoded(const dtypes::MatrixView& matrix, std::int64_t row) {
  std::vector<float> out(static_cast<std::size_t>(matrix.columns));
  dtypes::dequantize_row(matrix, row, out);
  return out;
}

// The twin is the decoder of stored rows. Widths of one block, of odd numbers of blocks, of many units.
TEST(UnpackPanel, GivesEachRowAsTheDecoderDoesBitForBit) {
  for (const DType dtype : all_dtypes()) {
    const std::int64_t block = dtypes::traits(dtype).block_elements;
    for (const std::int64_t blocks : {1, 2, 3, 7, 28}) {
      const StoredMatrix weights(dtype, 37, block * blocks, static_cast<unsigned>(blocks));
      for (std::int64_t row = 0; row < 37; ++row) {
        ASSERT_TRUE(same_bits(unpacked(weights.view, row), decoded(weights.view, row)))
            << dtypes::traits(dtype).name << ", " << blocks << " blocks, row " << row;
      }
    }
  }
}

// Signed zeros, subnormals, the largest and infinite scales, and minima of either sign.
TEST(UnpackPanel, KeepsUnusualScalesAndMinima) {
  const std::uint16_t unusual[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x7bff, 0xfbff, 0x7c00, 0x3c00};
  for (const DType dtype : {DType::q4_0, DType::q4_1, DType::q5_1, DType::q8_0, DType::q4_k, DType::q5_k}) {
    const auto block_bytes = static_cast<std::size_t>(dtypes::traits(dtype).block_bytes);
    for (const std::uint16_t scale : unusual) {
      for (const std::uint16_t minimum : unusual) {
        StoredMatrix weights(dtype, 1, dtypes::traits(dtype).block_elements, 9);
        std::memcpy(weights.bytes.data(), &scale, 2);
        if (dtypes::has_minimum(dtype)) std::memcpy(weights.bytes.data() + 2, &minimum, 2);
        ASSERT_EQ(weights.bytes.size(), block_bytes);
        const std::vector<float> got = unpacked(weights.view, 0);
        const std::vector<float> expected = decoded(weights.view, 0);
        for (std::size_t i = 0; i < got.size(); ++i) {
          const bool both_nan = got[i] != got[i] && expected[i] != expected[i];
          ASSERT_TRUE(both_nan || same_bits({got[i]}, {expected[i]}))
              << dtypes::traits(dtype).name << " " << scale << " " << minimum << " at " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
