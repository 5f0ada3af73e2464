// The layout of panel_format.h, read back entry by entry as that file describes it.

#include "kernels/cpu/pack_panel.h"

#include <gtest/gtest.h>

#include <cstring>

#include "kernels/cpu/panel_traits.h"
#include "kernels/dtypes/half.h"
#include "kernels/dtypes/quant_block.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

using dtypes::DType;
using Bytes = std::vector<std::byte>;

Bytes packed_panel(const dtypes::MatrixView& matrix, std::int64_t first_row = 0) {
  Bytes panel(panel_bytes(panel_format(matrix.dtype), matrix.columns));
  pack_panel(matrix, first_row, panel.data());
  return panel;
}

std::uint8_t u8(const Bytes& panel, std::size_t at) { return static_cast<std::uint8_t>(panel.at(at)); }

std::uint16_t u16(const Bytes& panel, std::size_t at) {
  return static_cast<std::uint16_t>(u8(panel, at) | u8(panel, at + 1) << 8);
}

// Quant `k` (0 .. 31) of an output in a block of `bits`, straight from the description of p4 to p8.
int quant_at(const Bytes& panel, std::size_t block, int bits, std::size_t output, std::size_t k) {
  const std::size_t line = k / 4;
  const auto byte = [&](std::size_t l) { return u8(panel, block + 64 * l + 4 * output + k % 4); };
  if (bits == 8) return byte(line);
  const int low = line < 4 ? byte(line) & 15 : byte(line - 4) >> 4;
  if (bits == 5) return low | (byte(4) >> line & 1) << 4;
  if (bits == 6) return low | (byte(4 + line / 4) >> 2 * (line % 4) & 3) << 4;
  return low;
}

struct QuantCase {
  DType dtype;
  int bits;
  int offset;
  std::size_t header;
  std::size_t blocks_of_unit;
};
constexpr QuantCase kQuantCases[] = {
    {DType::q4_0, 4, 8, 64, 2},  {DType::q4_1, 4, 0, 128, 2},  {DType::q5_0, 5, 16, 64, 2},
    {DType::q5_1, 5, 0, 128, 2}, {DType::q8_0, 8, 128, 64, 2}, {DType::q4_k, 4, 0, 320, 8},
    {DType::q5_k, 5, 0, 320, 8}, {DType::q6_k, 6, 32, 320, 8},
};

TEST(PackPanel, PutsEveryQuantWhereTheLayoutSays) {
  for (const QuantCase& c : kQuantCases) {
    const StoredMatrix weights(c.dtype, 16, 512, 1);
    const Bytes panel = packed_panel(weights.view);
    const dtypes::DTypeTraits& type = dtypes::traits(c.dtype);
    const std::size_t unit_bytes = c.header + c.blocks_of_unit * 64 * static_cast<std::size_t>(c.bits);
    int wrong = 0;
    for (std::size_t output = 0; output < 16; ++output) {
      for (std::size_t column = 0; column < 512; ++column) {
        const auto in_block = column % static_cast<std::size_t>(type.block_elements);
        const std::byte* stored = weights.bytes.data() + output * dtypes::row_bytes(c.dtype, 512) +
                                  dtypes::row_bytes(c.dtype, static_cast<std::int64_t>(column - in_block));
        dtypes::QuantBlock expected;
        dtypes::unpack_block(c.dtype, stored, expected);
        const std::size_t b = column / 32;
        const std::size_t block = b / c.blocks_of_unit * unit_bytes + c.header +
                                  b % c.blocks_of_unit * 64 * static_cast<std::size_t>(c.bits);
        wrong += quant_at(panel, block, c.bits, output, column % 32) - c.offset != expected.values[in_block];
      }
    }
    EXPECT_EQ(wrong, 0) << type.name;
  }
}

TEST(PackPanel, HalfHeadersHoldScalesOfBothBlocksThenMinima) {
  for (const DType dtype : {DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1, DType::q8_0}) {
    const StoredMatrix weights(dtype, 16, 64, 2);
    const Bytes panel = packed_panel(weights.view);
    const auto block_bytes = static_cast<std::size_t>(dtypes::traits(dtype).block_bytes);
    for (std::size_t output = 0; output < 16; ++output) {
      for (std::size_t block = 0; block < 2; ++block) {
        const std::size_t stored = output * 2 * block_bytes + block * block_bytes;
        EXPECT_EQ(u16(panel, 32 * block + 2 * output), u16(weights.bytes, stored));
        if (!dtypes::has_minimum(dtype)) continue;
        EXPECT_EQ(u16(panel, 64 + 32 * block + 2 * output), u16(weights.bytes, stored + 2));
      }
    }
  }
}

TEST(PackPanel, SubHeadersHoldNegatedMinimaAndSixBitScales) {
  StoredMatrix weights(DType::q4_k, 16, 256, 3);
  // Output 5: scale 1, dmin 2, sub-scale i + 1 and sub-minimum i + 9 for the first four groups.
  std::byte* block = weights.bytes.data() + 5 * 144;
  const std::uint16_t fields[] = {dtypes::float_to_half(1.0f), dtypes::float_to_half(2.0f)};
  std::memcpy(block, fields, 4);
  for (int i = 0; i < 4; ++i) {
    block[4 + i] = static_cast<std::byte>(i + 1);
    block[8 + i] = static_cast<std::byte>(i + 9);
  }
  const Bytes panel = packed_panel(weights.view);
  EXPECT_EQ(dtypes::half_to_float(u16(panel, 2 * 5)), 1.0f);
  EXPECT_EQ(dtypes::half_to_float(u16(panel, 32 + 2 * 5)), -2.0f);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(u8(panel, 64 + 32 * i + 5), i + 1);
    EXPECT_EQ(u8(panel, 64 + 32 * i + 16 + 5), i + 9);
  }
}

TEST(PackPanel, Sub16HeadersHoldTheSixteenSignedScales) {
  const StoredMatrix weights(DType::q6_k, 16, 256, 4);
  const Bytes panel = packed_panel(weights.view);
  for (std::size_t output = 0; output < 16; ++output) {
    EXPECT_EQ(u16(panel, 2 * output), u16(weights.bytes, output * 210 + 208));
    for (std::size_t i = 0; i < 16; ++i)
      EXPECT_EQ(u8(panel, 64 + 16 * i + output), u8(weights.bytes, output * 210 + 192 + i));
  }
}

TEST(PackPanel, FloatsAreInterleavedByColumn) {
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const StoredMatrix weights(dtype, 16, 5, 5);
    const Bytes panel = packed_panel(weights.view);
    const std::size_t size = dtype == DType::f32 ? 4 : 2;
    for (std::size_t output = 0; output < 16; ++output) {
      for (std::size_t column = 0; column < 5; ++column) {
        EXPECT_EQ(std::memcmp(panel.data() + (column * 16 + output) * size,
                              weights.bytes.data() + (output * 5 + column) * size, size),
                  0);
      }
    }
  }
}

// Missing outputs, and the second half of a unit of 64 inputs, stay zero: they must add nothing.
TEST(PackPanel, WhatDoesNotExistStaysZero) {
  for (const DType dtype : all_dtypes()) {
    const std::int64_t columns = dtypes::traits(dtype).block_elements;
    const StoredMatrix weights(dtype, 19, columns, 6);
    const Bytes tail = packed_panel(weights.view, 16);
    StoredMatrix last_rows(dtype, 16, columns, 7);
    std::fill(last_rows.bytes.begin(), last_rows.bytes.end(), std::byte{0});
    const std::size_t row_bytes = dtypes::row_bytes(dtype, columns);
    std::memcpy(last_rows.bytes.data(), weights.bytes.data() + 16 * row_bytes, 3 * row_bytes);
    const Bytes padded = packed_panel(last_rows.view);
    if (is_float_format(panel_format(dtype))) {
      EXPECT_EQ(tail, padded) << dtypes::traits(dtype).name;
      continue;
    }
    for (std::size_t output = 3; output < 16; ++output) EXPECT_EQ(u16(tail, 2 * output), 0) << "scale";
    if (columns == 32) {
      for (std::size_t output = 0; output < 16; ++output) EXPECT_EQ(u16(tail, 32 + 2 * output), 0);
    }
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
