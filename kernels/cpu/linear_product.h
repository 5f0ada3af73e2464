#pragma once
// Products of packed panels over the sixteen-lane primitives; included after one of simd/*.h and
// simd/dot_*.h. The order of every sum is the contract in linear.h.

#include "kernels/cpu/linear_kernels.h"

namespace {

using parley::kernels::cpu::ActivationBlock;
using parley::kernels::cpu::ActivationLayout;
using parley::kernels::cpu::PanelFormat;
using parley::kernels::cpu::PanelProduct;

// The layouts of panel_format.h as types.
template <PanelFormat kFormat>
struct Format {
  static constexpr bool kSub = kFormat == PanelFormat::p4_sub_min || kFormat == PanelFormat::p8_sub_min ||
                               kFormat == PanelFormat::p8_sub_16;
  static constexpr bool kSub16 = kFormat == PanelFormat::p8_sub_16;
  static constexpr bool kNibbles = kFormat == PanelFormat::p4_half || kFormat == PanelFormat::p4_half_min ||
                                   kFormat == PanelFormat::p4_sub_min;
  static constexpr bool kMinimum = kFormat == PanelFormat::p4_half_min ||
                                   kFormat == PanelFormat::p4_sub_min ||
                                   kFormat == PanelFormat::p8_half_min || kFormat == PanelFormat::p8_sub_min;
  static constexpr int kUnitBlocks = kSub ? 8 : 2;
  static constexpr int kHeaderBytes = kSub ? 320 : kMinimum ? 128 : 64;
  static constexpr int kBlockBytes = kNibbles ? 256 : 512;
  static constexpr int kUnitBytes = kHeaderBytes + kUnitBlocks * kBlockBytes;
};

template <PanelFormat kFormat>
inline int start_of_sum(const ActivationBlock& block, int half) {
  if constexpr (kFormat == PanelFormat::p4_half) return block.minus_8_sums;
  if constexpr (kFormat == PanelFormat::p8_half_5bit) return block.minus_16_sums;
  if constexpr (kFormat == PanelFormat::p8_half) return block.minus_128_sums;
  if constexpr (kFormat == PanelFormat::p8_sub_16) return block.minus_32_sums[half];
  return 0;
}

template <PanelFormat kFormat>
inline Line weights_of_group(const std::byte* quants, int group) {
  if constexpr (!Format<kFormat>::kNibbles) return load_line(quants + 64 * group);
  const Line line = load_line(quants + 64 * (group % 4));
  return group < 4 ? low_nibbles(line) : high_nibbles(line);
}

// Scale of block `index` of the unit (of half `half` of it for sub_16).
template <PanelFormat kFormat>
inline F32x16 block_scale(const std::byte* header, int index, int half) {
  using F = Format<kFormat>;
  if constexpr (F::kSub) {
    const F32x16 scale = load_half16(reinterpret_cast<const std::uint16_t*>(header));
    if constexpr (F::kSub16) return scale * load_i8x16_as_float(header + 64 + 32 * index + 16 * half);
    return scale * load_u8x16_as_float(header + 64 + 32 * index);
  }
  return load_half16(reinterpret_cast<const std::uint16_t*>(header + 32 * index));
}

template <PanelFormat kFormat>
inline F32x16 block_minimum(const std::byte* header, int index) {
  if constexpr (Format<kFormat>::kSub) {
    return load_half16(reinterpret_cast<const std::uint16_t*>(header + 32)) *
           load_u8x16_as_float(header + 80 + 32 * index);
  }
  return load_half16(reinterpret_cast<const std::uint16_t*>(header + 64 + 32 * index));
}

inline void store_outputs(const PanelProduct& p, int panel, int row, F32x16 acc) {
  float* out = p.out + static_cast<std::size_t>(row) * p.out_stride + 16 * panel;
  const int count = p.num_outputs - 16 * panel;
  if (p.bias != nullptr) acc = acc + load16(p.bias + 16 * panel);
  if (count >= 16) {
    store16(out, p.add_to_out ? load16(out) + acc : acc);
    return;
  }
  float values[16];
  store16(values, acc);
  for (int i = 0; i < count; ++i) out[i] = p.add_to_out ? out[i] + values[i] : values[i];
}

// One panel times the kRows rows of a tile.
template <PanelFormat kFormat, int kRows>
inline void multiply_tile(const PanelProduct& p, int panel, int first_row, const ActivationBlock* blocks) {
  using F = Format<kFormat>;
  constexpr int kHalves = F::kSub16 ? 2 : 1;
  constexpr int kGroups = 8 / kHalves;
  const std::byte* unit = p.panels + static_cast<std::size_t>(panel) * p.panel_bytes;
  F32x16 acc[kRows];
  for (auto& sum : acc) sum = zero16();
  for (int b = 0; b < p.layout.num_blocks; b += F::kUnitBlocks, unit += F::kUnitBytes) {
    const std::byte* quants = unit + F::kHeaderBytes;
    for (int i = 0; i < F::kUnitBlocks; ++i, quants += F::kBlockBytes, blocks += kRows) {
      for (int half = 0; half < kHalves; ++half) {
        I32x16 dot[kRows];
        for (int r = 0; r < kRows; ++r) dot[r] = broadcast_i32x16(start_of_sum<kFormat>(blocks[r], half));
        for (int g = half * kGroups; g < (half + 1) * kGroups; ++g) {
          const Line line = weights_of_group<kFormat>(quants, g);
          for (int r = 0; r < kRows; ++r) dot[r] = dot_line(dot[r], line, blocks[r].values + 4 * g);
        }
        const F32x16 scale = block_scale<kFormat>(unit, i, half);
        for (int r = 0; r < kRows; ++r)
          acc[r] = fma16(scale * broadcast16(blocks[r].scale), to_float16(dot[r]), acc[r]);
      }
      if constexpr (F::kMinimum) {
        const F32x16 minimum = block_minimum<kFormat>(unit, i);
        for (int r = 0; r < kRows; ++r) acc[r] = fma16(minimum, broadcast16(blocks[r].scaled_sum), acc[r]);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) store_outputs(p, panel, first_row + r, acc[r]);
}

template <PanelFormat kFormat>
inline void multiply_quantized(const PanelProduct& p) {
  using Tile = void (*)(const PanelProduct&, int, int, const ActivationBlock*);
  static constexpr Tile kTiles[] = {multiply_tile<kFormat, 1>, multiply_tile<kFormat, 2>,
                                    multiply_tile<kFormat, 3>, multiply_tile<kFormat, 4>,
                                    multiply_tile<kFormat, 5>, multiply_tile<kFormat, 6>,
                                    multiply_tile<kFormat, 7>, multiply_tile<kFormat, 8>};
  for (int panel = 0; panel < p.num_panels; ++panel) {
    const ActivationBlock* blocks = p.blocks;
    int row = 0;
    for (int tile = 0; tile < p.layout.num_tiles; ++tile) {
      const int height = p.layout.tile_height + (tile < p.layout.tall_tiles ? 1 : 0);
      kTiles[height - 1](p, panel, row, blocks);
      blocks += static_cast<std::size_t>(height) * static_cast<std::size_t>(p.layout.num_blocks);
      row += height;
    }
  }
}

template <PanelFormat kFormat>
inline F32x16 load_weights(const std::byte* panel, int k) {
  if constexpr (kFormat == PanelFormat::f32) return load16(reinterpret_cast<const float*>(panel) + 16 * k);
  const auto* words = reinterpret_cast<const std::uint16_t*>(panel) + 16 * k;
  return kFormat == PanelFormat::f16 ? load_half16(words) : load_bfloat16(words);
}

template <PanelFormat kFormat>
inline void multiply_float(const PanelProduct& p) {
  for (int panel = 0; panel < p.num_panels; ++panel) {
    const std::byte* weights = p.panels + static_cast<std::size_t>(panel) * p.panel_bytes;
    for (int row = 0; row < p.rows; ++row) {
      const float* x = p.x + static_cast<std::size_t>(row) * p.x_stride;
      F32x16 acc = zero16();
      for (int k = 0; k < p.columns; ++k)
        acc = fma16(load_weights<kFormat>(weights, k), broadcast16(x[k]), acc);
      store_outputs(p, panel, row, acc);
    }
  }
}

inline void multiply_panels(const PanelProduct& p) {
  switch (p.format) {
    case PanelFormat::f32:
      return multiply_float<PanelFormat::f32>(p);
    case PanelFormat::f16:
      return multiply_float<PanelFormat::f16>(p);
    case PanelFormat::bf16:
      return multiply_float<PanelFormat::bf16>(p);
    case PanelFormat::p4_half:
      return multiply_quantized<PanelFormat::p4_half>(p);
    case PanelFormat::p4_half_min:
      return multiply_quantized<PanelFormat::p4_half_min>(p);
    case PanelFormat::p4_sub_min:
      return multiply_quantized<PanelFormat::p4_sub_min>(p);
    case PanelFormat::p8_half_5bit:
      return multiply_quantized<PanelFormat::p8_half_5bit>(p);
    case PanelFormat::p8_half:
      return multiply_quantized<PanelFormat::p8_half>(p);
    case PanelFormat::p8_half_min:
      return multiply_quantized<PanelFormat::p8_half_min>(p);
    case PanelFormat::p8_sub_min:
      return multiply_quantized<PanelFormat::p8_sub_min>(p);
    case PanelFormat::p8_sub_16:
      return multiply_quantized<PanelFormat::p8_sub_16>(p);
  }
}

}  // namespace
