#include "kernels/reference/linear.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "kernels/dtypes/dequantize.h"
#include "kernels/dtypes/quant_block.h"

namespace parley::kernels::reference {

namespace {

constexpr int kBlock = 32;

// Takes 32 values of x to values[32], the block's scale and its scaled sum.
void quantize_block(const float* x, std::int8_t* values, float& scale, float& scaled_sum) {
  float maximum = 0.0f;
  bool finite = true;
  for (int i = 0; i < kBlock; ++i) {
    finite = finite && std::isfinite(x[i]);
    maximum = std::max(maximum, std::fabs(x[i]));
  }
  std::fill(values, values + kBlock, std::int8_t{0});
  if (!finite) {
    scale = scaled_sum = std::numeric_limits<float>::quiet_NaN();
    return;
  }
  scale = scaled_sum = 0.0f;
  if (maximum < 0x1p-100f) return;
  scale = maximum / 127.0f;
  const float inverse = 127.0f / maximum;
  int sum = 0;
  for (int i = 0; i < kBlock; ++i) {
    values[i] = static_cast<std::int8_t>(std::nearbyint(x[i] * inverse));
    sum += values[i];
  }
  scaled_sum = scale * static_cast<float>(sum);
}

int dot(const std::int8_t* a, const std::int8_t* b, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// One output of one row.
float multiply_row(const dtypes::MatrixView& weights, const std::byte* stored, const QuantizedMatrix& x,
                   int row) {
  const dtypes::DTypeTraits& type = dtypes::traits(weights.dtype);
  const bool two_scales = weights.dtype == dtypes::DType::q6_k;  // one for each 16 inputs
  const std::int8_t* values = x.values.data() + std::int64_t{row} * x.columns;
  const std::int64_t first_block = std::int64_t{row} * (x.columns / kBlock);
  dtypes::QuantBlock block;
  float acc = 0.0f;
  for (int column = 0; column < x.columns; column += kBlock) {
    const int within = column % type.block_elements;
    if (within == 0) {
      dtypes::unpack_block(weights.dtype, stored, block);
      stored += type.block_bytes;
    }
    const auto index = static_cast<std::size_t>(first_block + column / kBlock);
    const int step = two_scales ? kBlock / 2 : kBlock;
    for (int i = 0; i < kBlock; i += step) {
      const int sum = dot(block.values + within + i, values + column + i, step);
      acc = std::fma(block.scale[(within + i) / 16] * x.scales[index], static_cast<float>(sum), acc);
    }
    if (dtypes::has_minimum(weights.dtype)) {
      acc = std::fma(block.minimum[within / kBlock], x.scaled_sums[index], acc);
    }
  }
  return acc;
}

}  // namespace

QuantizedMatrix quantize_rows(std::span<const float> x, int rows, int columns) {
  assert(columns % kBlock == 0 &&
         x.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  QuantizedMatrix out{.rows = rows, .columns = columns, .values = {}, .scales = {}, .scaled_sums = {}};
  out.values.resize(x.size());
  out.scales.resize(x.size() / kBlock);
  out.scaled_sums.resize(x.size() / kBlock);
  for (std::size_t block = 0; block < out.scales.size(); ++block) {
    quantize_block(x.data() + block * kBlock, out.values.data() + block * kBlock, out.scales[block],
                   out.scaled_sums[block]);
  }
  return out;
}

void multiply(const dtypes::MatrixView& weights, const QuantizedMatrix& x, std::span<float> out) {
  assert(dtypes::is_quantized(weights.dtype) && weights.columns == x.columns);
  assert(static_cast<std::int64_t>(out.size()) == x.rows * weights.rows);
  const std::size_t stride = dtypes::row_bytes(weights.dtype, weights.columns);
  std::size_t index = 0;
  for (int row = 0; row < x.rows; ++row)
    for (std::int64_t output = 0; output < weights.rows; ++output, ++index)
      out[index] = multiply_row(weights, weights.data + static_cast<std::size_t>(output) * stride, x, row);
}

void multiply_float(const dtypes::MatrixView& weights, std::span<const float> x, int rows,
                    std::span<float> out) {
  assert(!dtypes::is_quantized(weights.dtype));
  assert(static_cast<std::int64_t>(out.size()) == rows * weights.rows);
  std::vector<float> w(static_cast<std::size_t>(weights.columns));
  for (std::int64_t output = 0; output < weights.rows; ++output) {
    dtypes::dequantize_row(weights, output, w);
    for (int row = 0; row < rows; ++row) {
      const float* values = x.data() + std::int64_t{row} * weights.columns;
      float acc = 0.0f;
      for (std::size_t k = 0; k < w.size(); ++k) acc = std::fma(w[k], values[k], acc);
      out[static_cast<std::size_t>(row * weights.rows + output)] = acc;
    }
  }
}

}  // namespace parley::kernels::reference
