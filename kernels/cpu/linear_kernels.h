#pragma once
// What the products hand to the code of one instruction set, and the table of that code. Plain data,
// any thread; nothing is checked.

#include <cstddef>

#include "kernels/cpu/activation_block.h"
#include "kernels/cpu/panel_format.h"

namespace parley::kernels::cpu {

// Consecutive panels of one matrix times all rows of the input.
struct PanelProduct {
  PanelFormat format = PanelFormat::f32;
  int num_panels = 0;
  int columns = 0;
  const std::byte* panels = nullptr;  // [num_panels][panel_bytes]
  std::size_t panel_bytes = 0;
  const float* bias = nullptr;  // [num_panels * 16] or null

  const ActivationBlock* blocks = nullptr;  // quantised formats
  ActivationLayout layout;
  const float* x = nullptr;  // float formats: row r at x + r * x_stride
  std::size_t x_stride = 0;

  int rows = 0;
  int num_outputs = 0;   // <= num_panels * 16
  float* out = nullptr;  // [rows, num_outputs], row r at out + r * out_stride
  std::size_t out_stride = 0;
  bool add_to_out = false;

  std::byte* scratch = nullptr;  // scratch_bytes(columns), 64-byte aligned
};

// Tiles of rows whose sums are kept in scratch at one time.
inline constexpr int kMaxTilesAtOnce = 32;
// Scratch: a chunk of two panels with lines, scales and minima, and the sums of the rows.
inline constexpr int kScratchBytes = 2 * kChunkBlocks * (512 + 2 * 64) + 2 * kMaxTilesAtOnce * kTileRows *
                                                                             kPanelRows *
                                                                             static_cast<int>(sizeof(float));

// Rows of activations to quantise.
struct RowsToQuantize {
  const float* x = nullptr;  // row r at x + r * x_stride
  std::size_t x_stride = 0;
  int columns = 0;
  int first_row = 0;
  int last_row = 0;
  ActivationBlock* blocks = nullptr;
  ActivationLayout layout;
};

struct LinearKernels {
  void (*multiply)(const PanelProduct& product);
  void (*quantize)(const RowsToQuantize& rows);
};

extern const LinearKernels kLinearPortable;
extern const LinearKernels kLinearAvx2;
extern const LinearKernels kLinearAvx512;

}  // namespace parley::kernels::cpu
