#pragma once
// Slow, obvious twin of the CPU's linear layers (kernels/cpu/linear.h): the same integers, the same scales,
// the same order of every rounding, so that results are compared bit for bit. Pure functions, any thread.
// Shapes that do not fit are assertions; allocation may throw std::bad_alloc.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/dtypes/dtype.h"

namespace parley::kernels::reference {

// Rows of activations as int8 with one scale for each 32 values.
struct QuantizedMatrix {
  int rows = 0;
  int columns = 0;                  // a multiple of 32
  std::vector<std::int8_t> values;  // [rows, columns], -127 .. 127
  std::vector<float> scales;        // [rows, columns / 32]
  std::vector<float> scaled_sums;   // [rows, columns / 32]: scale * float(sum of the 32 values)
};

// scale = max |x| / 127, value = x * (127 / max |x|) rounded to nearest even. A block whose maximum is below
// 2^-100 is zero; one with a value that is not finite has scale and scaled sum NaN and values 0.
//   x  [rows, columns] f32
QuantizedMatrix quantize_rows(std::span<const float> x, int rows, int columns);

// out = W x, W of a quantised dtype.
//   out  [x.rows, weights.rows] f32
void multiply(const dtypes::MatrixView& weights, const QuantizedMatrix& x, std::span<float> out);

// out = W x, W of dtype F32, F16 or BF16.
//   x    [rows, weights.columns] f32
//   out  [rows, weights.rows] f32
void multiply_float(const dtypes::MatrixView& weights, std::span<const float> x, int rows,
                    std::span<float> out);

}  // namespace parley::kernels::reference
