#pragma once
// Thirty-two quantised values of one row, one cache line, and the order of these blocks in memory. Plain
// data, any thread: the kernels of every instruction set include it, so nothing here is a function with a
// body of its own.

#include <cstdint>

namespace parley::kernels::cpu {

// Value i of the row is close to scale * values[i]. The products of weights that are stored with an offset
// start their integer sum from -offset * sum(values), kept here for each offset that occurs.
struct alignas(64) ActivationBlock {
  std::int8_t values[32];         // -127 .. 127
  float scale;                    // d_a = max |x| / 127; NaN when a value is not finite
  float scaled_sum;               // d_a * sum(values), meets the minima of the weights
  std::int32_t minus_8_sums;      // -8 * sum(values)
  std::int32_t minus_16_sums;     // -16 * sum(values)
  std::int32_t minus_128_sums;    // -128 * sum(values)
  std::int32_t minus_32_sums[2];  // -32 * sum of values 0 .. 15, and of 16 .. 31
  std::int32_t zero;              // for weights without offset
};
static_assert(sizeof(ActivationBlock) == 64);

// Order of the blocks: [chunk of 8 blocks of 32 columns][tile of rows][block of the chunk][row of the tile].
// Tiles have at most kTileRows rows and their heights differ by one at most, so no tail runs alone; the last
// chunk may be shorter. Columns are padded with zero to a multiple of 64.
inline constexpr int kTileRows = 8;
inline constexpr int kChunkBlocks = 8;

struct ActivationLayout {
  int rows = 0;
  int num_blocks = 0;  // of 32 columns, even
  int num_tiles = 0;
  int tall_tiles = 0;   // the first ones; one row higher than the others
  int tile_height = 0;  // of the others
};

}  // namespace parley::kernels::cpu
