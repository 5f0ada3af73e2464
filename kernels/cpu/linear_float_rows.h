#pragma once
// Products of F32, F16 and BF16 weights with f32 activations. Pure, any thread; nothing fails.

#include "kernels/cpu/linear_format.h"

namespace {

template <PanelFormat kFormat>
constexpr int kFloatLineBytes = kPanelRows*(kFormat == PanelFormat::f32 ? 4 : 2);

template <PanelFormat kFormat>
inline F32x16 load_weights(const std::byte* p) {
  if constexpr (kFormat == PanelFormat::f32) return load16(reinterpret_cast<const float*>(p));
  const auto* words = reinterpret_cast<const std::uint16_t*>(p);
  return kFormat == PanelFormat::f16 ? load_half16(words) : load_bfloat16(words);
}

template <PanelFormat kFormat, int kPanels, int kRows>
void multiply_float_tile(const PanelProduct& p, int panel, int row) {
  const std::byte* weights = p.panels + static_cast<std::size_t>(panel) * p.panel_bytes;
  const float* x = p.x + static_cast<std::size_t>(row) * p.x_stride;
  F32x16 acc[kRows][kPanels];
  PARLEY_UNROLL
  for (int r = 0; r < kRows; ++r) PARLEY_UNROLL
  for (int j = 0; j < kPanels; ++j) acc[r][j] = zero16();
  for (int k = 0; k < p.columns; ++k, weights += kFloatLineBytes<kFormat>, ++x) {
    F32x16 w[kPanels];
    PARLEY_UNROLL
    for (int j = 0; j < kPanels; ++j) {
      const std::byte* line = weights + static_cast<std::size_t>(j) * p.panel_bytes;
      __builtin_prefetch(line + 2048, 0, 3);
      w[j] = load_weights<kFormat>(line);
    }
    PARLEY_UNROLL
    for (int r = 0; r < kRows; ++r) PARLEY_UNROLL
    for (int j = 0; j < kPanels; ++j)
      acc[r][j] = fma16(w[j], broadcast16(x[static_cast<std::size_t>(r) * p.x_stride]), acc[r][j]);
  }
  for (int r = 0; r < kRows; ++r)
    for (int j = 0; j < kPanels; ++j) store_outputs(p, panel + j, row + r, acc[r][j]);
}

// All rows of kPanels panels: tiles of kTile rows, then the rest one by one.
template <PanelFormat kFormat, int kPanels, int kTile>
inline void multiply_float_panels(const PanelProduct& p, int panel) {
  int row = 0;
  for (; row + kTile <= p.rows; row += kTile) multiply_float_tile<kFormat, kPanels, kTile>(p, panel, row);
  for (; row + 2 <= p.rows; row += 2) multiply_float_tile<kFormat, kPanels, 2>(p, panel, row);
  for (; row < p.rows; ++row) multiply_float_tile<kFormat, kPanels, 1>(p, panel, row);
}

template <PanelFormat kFormat>
inline void multiply_float(const PanelProduct& p) {
  int panel = 0;
  // One row has one chain of additions for each panel: more panels at a time hide its latency.
  for (; panel + 4 <= p.num_panels && p.rows == 1; panel += 4)
    multiply_float_tile<kFormat, 4, 1>(p, panel, 0);
  for (; panel + 2 <= p.num_panels && kManyPanels == 2; panel += 2)
    multiply_float_panels<kFormat, 2, kManyRows>(p, panel);
  for (; panel < p.num_panels; ++panel) multiply_float_panels<kFormat, 1, kManyRows>(p, panel);
}

}  // namespace
