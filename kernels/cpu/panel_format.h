#pragma once
// How a panel of 16 outputs is laid out. Plain constants, any thread: the kernels of every instruction set
// include this file.
//
// clang-format off
//
// A panel is a sequence of units of 64 or 256 inputs. A unit is a header with scales, then quants by blocks of
// 32 inputs. Everything is 64-byte aligned.
//
// A line is 64 bytes: 16 outputs x 4 consecutive inputs, byte 4 * output + k. Line g of a block has inputs
// 4g .. 4g + 3, unsigned (value + offset). What a block stores:
//
//   p4   4 lines   line g in the low nibbles, line g + 4 in the high nibbles
//   p5   5 lines   as p4, then a line whose bit g is the fifth bit of line g
//   p6   6 lines   as p4, then two lines: bits 2g and 2g + 1 of the first are the upper bits of line g,
//                  those of the second the upper bits of line g + 4
//   p8   8 lines   as they are
//
// Headers; [16] is always one entry for each output:
//
//   half       2 blocks a unit   f16 scale [2][16]
//   half_min   2 blocks a unit   f16 scale [2][16]
//                                f16 minimum [2][16]
//   sub_min    8 blocks a unit   f16 scale [16]
//                                f16 minimum [16], dmin negated
//                                [8] times: u8 sub-scale [16], u8 sub-minimum [16]
//   sub_16     8 blocks a unit   f16 scale [16]
//                                32 bytes unused
//                                i8 sub-scale [8][2][16]
//
// Float formats have no units: [columns][16] values of the stored type.
// Outputs past the last row and inputs past the last column have zero scales, so they add nothing.
//
// clang-format on

#include <cstdint>

namespace parley::kernels::cpu {

inline constexpr int kPanelRows = 16;
inline constexpr int kBlockColumns = 32;

enum class PanelFormat : std::uint8_t {
  f32,
  f16,
  bf16,
  p4_half,      // Q4_0, offset 8
  p4_half_min,  // Q4_1
  p4_sub_min,   // Q4_K
  p5_half,      // Q5_0, offset 16
  p5_half_min,  // Q5_1
  p5_sub_min,   // Q5_K
  p6_sub_16,    // Q6_K, offset 32
  p8_half,      // Q8_0, offset 128
};

}  // namespace parley::kernels::cpu
