#include "kernels/dtypes/dequantize.h"

#include <cassert>
#include <cstring>

#include "kernels/dtypes/half.h"
#include "kernels/dtypes/quant_block.h"

namespace parley::kernels::dtypes {

namespace {

void widen_row(const std::byte* row, std::span<float> out, float (*widen)(std::uint16_t)) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, row + i * sizeof bits, sizeof bits);
    out[i] = widen(bits);
  }
}

void decode_blocks(DType dtype, const std::byte* row, std::span<float> out) {
  const DTypeTraits& type = traits(dtype);
  const bool minima = has_minimum(dtype);
  QuantBlock block;
  for (std::size_t first = 0; first < out.size(); first += static_cast<std::size_t>(type.block_elements)) {
    unpack_block(dtype, row, block);
    row += type.block_bytes;
    for (int i = 0; i < type.block_elements; ++i) {
      const float product = block.scale[i / 16] * static_cast<float>(block.values[i]);
      out[first + static_cast<std::size_t>(i)] = minima ? product + block.minimum[i / 32] : product;
    }
  }
}

}  // namespace

void dequantize_row(const MatrixView& matrix, std::int64_t row, std::span<float> out) {
  assert(row >= 0 && row < matrix.rows);
  assert(static_cast<std::int64_t>(out.size()) == matrix.columns);
  const std::size_t stride = row_bytes(matrix.dtype, matrix.columns);
  const std::byte* data = matrix.data + static_cast<std::size_t>(row) * stride;
  switch (matrix.dtype) {
    case DType::f32:
      if (stride != 0) std::memcpy(out.data(), data, stride);
      return;
    case DType::f16:
      return widen_row(data, out, half_to_float);
    case DType::bf16:
      return widen_row(data, out, bfloat16_to_float);
    default:
      return decode_blocks(matrix.dtype, data, out);
  }
}

}  // namespace parley::kernels::dtypes
