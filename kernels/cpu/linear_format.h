#pragma once
// The panel formats as types, over the sixteen-lane primitives: where things are in a unit, and how they are
// read. Included after one of simd/dot_*.h. Pure, any thread; nothing fails.

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/linear_kernels.h"

namespace {

using parley::kernels::cpu::ActivationBlock;
using parley::kernels::cpu::kBlockColumns;
using parley::kernels::cpu::kChunkBlocks;
using parley::kernels::cpu::kMaxTilesAtOnce;
using parley::kernels::cpu::kPanelRows;
using parley::kernels::cpu::kTileRows;
using parley::kernels::cpu::PanelFormat;
using parley::kernels::cpu::PanelProduct;

template <PanelFormat kFormat>
struct Format {
  static constexpr bool kSub16 = kFormat == PanelFormat::p6_sub_16;
  static constexpr bool kSub =
      kSub16 || kFormat == PanelFormat::p4_sub_min || kFormat == PanelFormat::p5_sub_min;
  static constexpr bool kMinimum = kFormat == PanelFormat::p4_half_min ||
                                   kFormat == PanelFormat::p4_sub_min ||
                                   kFormat == PanelFormat::p5_half_min || kFormat == PanelFormat::p5_sub_min;
  static constexpr int kBits = kFormat <= PanelFormat::p4_sub_min   ? 4
                               : kFormat <= PanelFormat::p5_sub_min ? 5
                               : kSub16                             ? 6
                                                                    : 8;
  // Sums of a block: two where each half has a scale of its own.
  static constexpr int kHalves = kSub16 ? 2 : 1;
  static constexpr int kGroups = 8 / kHalves;  // lines of a sum
  static constexpr int kUnitBlocks = kSub ? 8 : 2;
  static constexpr int kHeaderBytes = kSub ? 320 : kMinimum ? 128 : 64;
  static constexpr int kBlockBytes = 64 * kBits;
  static constexpr int kUnitBytes = kHeaderBytes + kUnitBlocks * kBlockBytes;
};

// What the integer sums of a block start from: -offset * sum(values), an array of kHalves.
template <PanelFormat kFormat>
inline const std::int32_t* start_of_sums(const ActivationBlock& block) {
  if constexpr (kFormat == PanelFormat::p4_half) return &block.minus_8_sums;
  if constexpr (kFormat == PanelFormat::p5_half) return &block.minus_16_sums;
  if constexpr (kFormat == PanelFormat::p6_sub_16) return block.minus_32_sums;
  if constexpr (kFormat == PanelFormat::p8_half && !kSignedBytes) return &block.minus_128_sums;
  return &block.zero;
}

// Line g of a block, ready to be multiplied.
template <PanelFormat kFormat>
inline Line unpack_line(const std::byte* quants, int g) {
  constexpr int kBits = Format<kFormat>::kBits;
  if constexpr (kBits == 8) {
    const Line line = load_line(quants + 64 * g);
    return kSignedBytes ? to_signed(line) : line;
  }
  const Line packed = load_line(quants + 64 * (g % 4));
  const Line low = g < 4 ? low_nibbles(packed) : high_nibbles(packed);
  if constexpr (kBits == 5) return low | fifth_bits(load_line(quants + 256), g);
  if constexpr (kBits == 6) return low | upper_bits(load_line(quants + 256 + 64 * (g / 4)), g % 4);
  return low;
}

inline F32x16 load_half_line(const std::byte* p) {
  return load_half16(reinterpret_cast<const std::uint16_t*>(p));
}

// Scale of block `index` of a unit; of its half `half` where it has two.
template <PanelFormat kFormat>
inline F32x16 block_scale(const std::byte* unit, int index, int half) {
  using F = Format<kFormat>;
  if constexpr (F::kSub16)
    return load_half_line(unit) * load_i8x16_as_float(unit + 64 + 32 * index + 16 * half);
  if constexpr (F::kSub) return load_half_line(unit) * load_u8x16_as_float(unit + 64 + 32 * index);
  return load_half_line(unit + 32 * index);
}

template <PanelFormat kFormat>
inline F32x16 block_minimum(const std::byte* unit, int index) {
  if constexpr (Format<kFormat>::kSub)
    return load_half_line(unit + 32) * load_u8x16_as_float(unit + 80 + 32 * index);
  return load_half_line(unit + 64 + 32 * index);
}

// Writes the sums of a panel for one row: bias, then what was there, each with one rounding.
inline void store_outputs(const PanelProduct& p, int panel, int row, F32x16 acc) {
  float* out = p.out + static_cast<std::size_t>(row) * p.out_stride + kPanelRows * panel;
  const int count = p.num_outputs - kPanelRows * panel;
  if (p.bias != nullptr) acc = acc + load16(p.bias + kPanelRows * panel);
  if (count >= kPanelRows) {
    store16(out, p.add_to_out ? load16(out) + acc : acc);
    return;
  }
  float values[kPanelRows];
  store16(values, acc);
  for (int i = 0; i < count; ++i) out[i] = p.add_to_out ? out[i] + values[i] : values[i];
}

}  // namespace
