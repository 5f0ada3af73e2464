#pragma once
// Exact decoding of stored blocks to f32 (each value as ggml's reference decoder gives it, bit for bit).
// Pure functions, any thread. Requires valid sizes; the bytes themselves may be anything. Sizes that do not
// fit are assertions.

#include <cstdint>
#include <span>

#include "kernels/dtypes/dtype.h"

namespace parley::kernels::dtypes {

// Decodes row `row` of `matrix` into out [matrix.columns] f32.
void dequantize_row(const MatrixView& matrix, std::int64_t row, std::span<float> out);

}  // namespace parley::kernels::dtypes
