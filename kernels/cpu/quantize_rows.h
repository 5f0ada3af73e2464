#pragma once
// Quantising of activations over the sixteen-lane primitives; included after one of simd/*.h. Pure, any
// thread; nothing fails.

#include "kernels/cpu/linear_kernels.h"

namespace {

using parley::kernels::cpu::ActivationBlock;
using parley::kernels::cpu::ActivationLayout;
using parley::kernels::cpu::kChunkBlocks;
using parley::kernels::cpu::RowsToQuantize;

// A block whose largest value is below this is zero: its inverse scale would overflow.
constexpr float kSmallestMaximum = 0x1p-100f;

inline void set_block(ActivationBlock& block, float scale, int low_sum, int high_sum) {
  const int sum = low_sum + high_sum;
  block.scale = scale;
  block.scaled_sum = scale * static_cast<float>(sum);
  block.minus_8_sums = -8 * sum;
  block.minus_16_sums = -16 * sum;
  block.minus_128_sums = -128 * sum;
  block.minus_32_sums[0] = -32 * low_sum;
  block.minus_32_sums[1] = -32 * high_sum;
  block.zero = 0;
}

inline void quantize_block(const float* x, ActivationBlock& block) {
  const F32x16 low = load16(x);
  const F32x16 high = load16(x + 16);
  const float maximum = max_lane16(max16(abs16(low), abs16(high)));
  const float check = sum16(low * zero16() + high * zero16());  // NaN unless every value is finite
  I32x16 first = round_to_int16(zero16());
  I32x16 second = first;
  float scale = 0.0f;
  if (!(check == 0.0f)) {
    scale = __builtin_nanf("");
  } else if (maximum >= kSmallestMaximum) {
    const F32x16 inverse = broadcast16(127.0f / maximum);
    scale = maximum / 127.0f;
    first = round_to_int16(low * inverse);
    second = round_to_int16(high * inverse);
  }
  store_int8x16(block.values, first);
  store_int8x16(block.values + 16, second);
  set_block(block, scale, static_cast<int>(sum16(to_float16(first))),
            static_cast<int>(sum16(to_float16(second))));
}

// The tile of a row.
struct RowPlace {
  int first_row;  // of the tile
  int height;
  int index;  // of the row in it
};
inline RowPlace place_of_row(const ActivationLayout& layout, int row) {
  const int tall_rows = layout.tall_tiles * (layout.tile_height + 1);
  const bool tall = row < tall_rows;
  const int height = tall ? layout.tile_height + 1 : layout.tile_height;
  const int first_row = tall ? row / height * height : tall_rows + (row - tall_rows) / height * height;
  return {first_row, height, row - first_row};
}

inline void quantize_row(const RowsToQuantize& rows, int row) {
  const RowPlace place = place_of_row(rows.layout, row);
  const float* x = rows.x + static_cast<std::size_t>(row) * rows.x_stride;
  for (int chunk = 0; chunk < rows.layout.num_blocks; chunk += kChunkBlocks) {
    const int left = rows.layout.num_blocks - chunk;
    const int count = left < kChunkBlocks ? left : kChunkBlocks;
    ActivationBlock* block = rows.blocks +
                             static_cast<std::size_t>(chunk) * static_cast<std::size_t>(rows.layout.rows) +
                             place.first_row * count + place.index;
    for (int b = chunk; b < chunk + count; ++b, block += place.height) {
      if (32 * b < rows.columns) {
        quantize_block(x + 32 * b, *block);
      } else {
        *block = ActivationBlock{};
      }
    }
  }
}

inline void quantize_rows(const RowsToQuantize& rows) {
  for (int row = rows.first_row; row < rows.last_row; ++row) quantize_row(rows, row);
}

}  // namespace
