#pragma once
// Products of one tile of few rows: each weight is read once, from memory, and unpacked in registers.
// Bytes: the panel, once. Operations: 2 * 16 * columns * rows. Pure, any thread; nothing fails.

#include "kernels/cpu/linear_format.h"

namespace {

// How far ahead of the product each panel is fetched. Measured at one row: 55 % of bandwidth without, 80 to
// 88 % with.
constexpr int kFetchAhead = 4096;

// Fetches the lines that belong to block `index` of a unit, at the same place of a later unit.
template <PanelFormat kFormat>
inline void fetch_ahead(const std::byte* unit, int index) {
  using F = Format<kFormat>;
  constexpr int kLines = (F::kUnitBytes / 64 + F::kUnitBlocks - 1) / F::kUnitBlocks;
  constexpr int kDistance = (kFetchAhead + F::kUnitBytes - 1) / F::kUnitBytes * F::kUnitBytes;
#pragma GCC unroll 16
  for (int k = 0; k < kLines; ++k) __builtin_prefetch(unit + kDistance + 64 * (index * kLines + k), 0, 2);
}

// Panels panel .. panel + count - 1, count <= kPanels, side by side: as many streams from memory. Missing
// ones are replaced by the last, so that one piece of code serves every count.
template <PanelFormat kFormat, int kPanels, int kRows>
inline void multiply_few_panels(const PanelProduct& p, int panel, int count) {
  using F = Format<kFormat>;
  const ActivationBlock* a = p.blocks;
  const std::byte* unit[kPanels];
  F32x16 acc[kPanels][kRows];
  PARLEY_UNROLL
  for (int j = 0; j < kPanels; ++j) {
    unit[j] = p.panels + static_cast<std::size_t>(panel + (j < count ? j : count - 1)) * p.panel_bytes;
    PARLEY_UNROLL
    for (int r = 0; r < kRows; ++r) acc[j][r] = zero16();
  }
  for (int b = 0; b < p.layout.num_blocks; b += F::kUnitBlocks) {
#pragma GCC unroll 1
    for (int i = 0; i < F::kUnitBlocks; ++i, a += kRows) {
      PARLEY_UNROLL
      for (int j = 0; j < kPanels; ++j) fetch_ahead<kFormat>(unit[j], i);
      PARLEY_UNROLL
      for (int half = 0; half < F::kHalves; ++half) {
        DotSum<F::kBits> dot[kPanels][kRows];
        PARLEY_UNROLL
        for (int j = 0; j < kPanels; ++j) {
          PARLEY_UNROLL
          for (int r = 0; r < kRows; ++r) dot[j][r].start(start_of_sums<kFormat>(a[r])[half]);
        }
        PARLEY_UNROLL
        for (int g = 0; g < F::kGroups; ++g) {
          const int k = half * F::kGroups + g;
          Line line[kPanels];
          PARLEY_UNROLL
          for (int j = 0; j < kPanels; ++j)
            line[j] = unpack_line<kFormat>(unit[j] + F::kHeaderBytes + i * F::kBlockBytes, k);
          PARLEY_UNROLL
          for (int r = 0; r < kRows; ++r) {
            const Four four = load_four(a[r].values + 4 * k);
            PARLEY_UNROLL
            for (int j = 0; j < kPanels; ++j) dot[j][r].add(line[j], four, g);
          }
        }
        PARLEY_UNROLL
        for (int j = 0; j < kPanels; ++j) {
          const F32x16 scale = block_scale<kFormat>(unit[j], i, half);
          PARLEY_UNROLL
          for (int r = 0; r < kRows; ++r) {
            const F32x16 sum = to_float16(dot[j][r].finish(start_of_sums<kFormat>(a[r])[half]));
            acc[j][r] = fma16(scale * broadcast16(a[r].scale), sum, acc[j][r]);
          }
        }
      }
      if constexpr (F::kMinimum) {
        PARLEY_UNROLL
        for (int j = 0; j < kPanels; ++j) {
          const F32x16 minimum = block_minimum<kFormat>(unit[j], i);
          PARLEY_UNROLL
          for (int r = 0; r < kRows; ++r) acc[j][r] = fma16(minimum, broadcast16(a[r].scaled_sum), acc[j][r]);
        }
      }
    }
    PARLEY_UNROLL
    for (int j = 0; j < kPanels; ++j) unit[j] += F::kUnitBytes;
  }
  for (int j = 0; j < count; ++j) {
    for (int r = 0; r < kRows; ++r) store_outputs(p, panel + j, r, acc[j][r]);
  }
}

template <PanelFormat kFormat, int kRows>
void multiply_few_rows(const PanelProduct& p) {
  constexpr int kPanels = kRows <= 2 || kFewPanels == 1 ? kFewPanels : kFewPanels / 2;
  for (int panel = 0; panel < p.num_panels; panel += kPanels) {
    const int left = p.num_panels - panel;
    multiply_few_panels<kFormat, kPanels, kRows>(p, panel, left < kPanels ? left : kPanels);
  }
}

}  // namespace
