#include "kernels/cpu/quantize.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "kernels/reference/linear.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

// The block of `row` and 32-column block `index`, found by walking chunks and tiles as activation_block.h
// says.
const ActivationBlock& block_at(const QuantizedRows& rows, int row, int index) {
  const ActivationLayout& layout = rows.layout();
  const int chunk = index / kChunkBlocks;
  const int chunk_blocks = std::min(kChunkBlocks, layout.num_blocks - chunk * kChunkBlocks);
  const ActivationBlock* tile_blocks = rows.blocks() + chunk * kChunkBlocks * layout.rows;
  for (int tile = 0; tile < layout.num_tiles; ++tile) {
    const int height = layout.tile_height + (tile < layout.tall_tiles ? 1 : 0);
    if (row < height) return tile_blocks[index % kChunkBlocks * height + row];
    row -= height;
    tile_blocks += height * chunk_blocks;
  }
  throw std::logic_error("no such row");
}

void expect_equal(const ActivationBlock& block, const reference::QuantizedMatrix& expected,
                  std::size_t index) {
  int sums[2] = {};
  for (std::size_t i = 0; i < 32; ++i) {
    ASSERT_EQ(block.values[i], expected.values[32 * index + i]) << i;
    sums[i / 16] += block.values[i];
  }
  if (std::isnan(expected.scales[index])) {
    EXPECT_TRUE(std::isnan(block.scale));
    EXPECT_TRUE(std::isnan(block.scaled_sum));
    return;
  }
  EXPECT_EQ(std::bit_cast<std::uint32_t>(block.scale), std::bit_cast<std::uint32_t>(expected.scales[index]));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(block.scaled_sum),
            std::bit_cast<std::uint32_t>(expected.scaled_sums[index]));
  EXPECT_EQ(block.minus_8_sums, -8 * (sums[0] + sums[1]));
  EXPECT_EQ(block.minus_16_sums, -16 * (sums[0] + sums[1]));
  EXPECT_EQ(block.minus_128_sums, -128 * (sums[0] + sums[1]));
  EXPECT_EQ(block.zero, 0);
  EXPECT_EQ(block.minus_32_sums[0], -32 * sums[0]);
  EXPECT_EQ(block.minus_32_sums[1], -32 * sums[1]);
}

void expect_equals_reference(const std::vector<float>& x, int rows, int columns) {
  const reference::QuantizedMatrix expected = reference::quantize_rows(x, rows, columns);
  for (const Isa isa : all_isas()) {
    SCOPED_TRACE(std::string(isa_name(isa)));
    QuantizedRows quantized(rows, columns);
    quantized.reshape(rows, columns);
    quantized.quantize(isa, x.data(), static_cast<std::size_t>(columns), 0, rows);
    for (int row = 0; row < rows; ++row)
      for (int block = 0; block < columns / 32; ++block)
        expect_equal(block_at(quantized, row, block), expected,
                     static_cast<std::size_t>(row * columns / 32 + block));
  }
}

TEST(Quantize, EqualsTheReferenceForEveryNumberOfRows) {
  for (int rows = 1; rows <= 35; ++rows)
    expect_equals_reference(random_floats(static_cast<std::size_t>(rows) * 352, 1u), rows, 352);
}

TEST(Quantize, EqualsTheReferenceOverAllMagnitudes) {
  for (int exponent = -149; exponent < 128; ++exponent) {
    std::vector<float> x = random_floats(64, static_cast<unsigned>(exponent + 200));
    for (float& value : x) value = std::ldexp(value, exponent - 2);
    expect_equals_reference(x, 1, 64);
  }
}

TEST(Quantize, ZeroAndTinyBlocksAreZero) {
  std::vector<float> x(96, 0.0f);
  x[3] = -0.0f;
  x[40] = std::numeric_limits<float>::denorm_min();
  x[70] = -0x1p-101f;
  expect_equals_reference(x, 1, 96);
  EXPECT_EQ(reference::quantize_rows(x, 1, 96).scales, (std::vector<float>{0.0f, 0.0f, 0.0f}));
}

TEST(Quantize, ValuesThatAreNotFiniteMakeTheScaleNan) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float poison : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (std::size_t place = 0; place < 32; ++place) {
      std::vector<float> x = random_floats(64, 9);
      x[place] = poison;
      const reference::QuantizedMatrix expected = reference::quantize_rows(x, 1, 64);
      EXPECT_TRUE(std::isnan(expected.scales[0]));
      EXPECT_TRUE(std::isfinite(expected.scales[1]));
      expect_equals_reference(x, 1, 64);
    }
  }
}

TEST(Quantize, TheLargestFiniteValueStaysFinite) {
  std::vector<float> x(32, std::numeric_limits<float>::max());
  x[1] = -x[0];
  expect_equals_reference(x, 1, 32);
}

TEST(Quantize, TiesRoundToEven) {
  std::vector<float> x(32, 0.0f);
  x[0] = 127.0f;  // scale 1
  x[1] = 0.5f;
  x[2] = 1.5f;
  x[3] = -2.5f;
  const reference::QuantizedMatrix expected = reference::quantize_rows(x, 1, 32);
  EXPECT_EQ(expected.values[1], 0);
  EXPECT_EQ(expected.values[2], 2);
  EXPECT_EQ(expected.values[3], -2);
  expect_equals_reference(x, 1, 32);
}

TEST(Quantize, RowsMayBeSplitAndColumnsArePaddedWithZeroBlocks) {
  constexpr int kRows = 19;
  constexpr int kColumns = 96;
  const std::vector<float> x = random_floats(std::size_t{kRows} * kColumns, 2);
  const reference::QuantizedMatrix expected = reference::quantize_rows(x, kRows, kColumns);
  for (const Isa isa : all_isas()) {
    QuantizedRows quantized(64, 512);
    quantized.reshape(64, 512);
    quantized.quantize(isa, std::vector<float>(std::size_t{64} * 512, 5.0f).data(), 512, 0, 64);
    quantized.reshape(kRows, kColumns);  // smaller than before: the old blocks must not show
    for (const auto& [first, last] : {std::pair{0, 7}, {7, 8}, {8, 8}, {8, kRows}})
      quantized.quantize(isa, x.data(), kColumns, first, last);
    for (int row = 0; row < kRows; ++row) {
      for (int block = 0; block < 3; ++block)
        expect_equal(block_at(quantized, row, block), expected, static_cast<std::size_t>(row * 3 + block));
      const ActivationBlock& padding = block_at(quantized, row, 3);
      EXPECT_EQ(padding.scale, 0.0f);
      EXPECT_EQ(padding.scaled_sum, 0.0f);
      EXPECT_EQ(padding.minus_128_sums, 0);
      for (const std::int8_t value : padding.values) EXPECT_EQ(value, 0);
    }
  }
}

TEST(Quantize, TilesAreLowAndBalanced) {
  QuantizedRows quantized(300, 32);
  for (int rows = 0; rows <= 300; ++rows) {
    quantized.reshape(rows, 32);
    const ActivationLayout& layout = quantized.layout();
    EXPECT_EQ(layout.num_tiles * layout.tile_height + layout.tall_tiles, rows);
    EXPECT_LE(layout.tile_height + (layout.tall_tiles > 0 ? 1 : 0), kTileRows);
    EXPECT_TRUE(rows <= kTileRows || layout.tile_height >= kTileRows / 2);
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
