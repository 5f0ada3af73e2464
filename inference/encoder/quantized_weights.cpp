#include "inference/encoder/quantized_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/dtypes/dequantize.h"
#include "kernels/dtypes/half.h"
#include "kernels/dtypes/quant_block.h"

namespace parley::inference::encoder {
namespace {

using kernels::dtypes::DType;
using kernels::dtypes::MatrixView;

constexpr std::size_t kBlockValues = 32;
constexpr float kLargest = 127.0f;

// f16 scale, then 32 int8 (GGUF's Q8_0). Values are rounded against the scale as it is stored.
void write_block(const float* values, std::byte* out) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < kBlockValues; ++i) largest = std::max(largest, std::abs(values[i]));
  const std::uint16_t scale_bits = kernels::dtypes::float_to_half(largest / kLargest);
  const float scale = kernels::dtypes::half_to_float(scale_bits);
  std::memcpy(out, &scale_bits, sizeof scale_bits);
  for (std::size_t i = 0; i < kBlockValues; ++i) {
    const float steps = scale > 0.0f ? std::nearbyint(values[i] / scale) : 0.0f;
    out[sizeof scale_bits + i] =
        static_cast<std::byte>(static_cast<std::int8_t>(std::clamp(steps, -kLargest, kLargest)));
  }
}

}  // namespace

QuantizedMatrix::QuantizedMatrix(const MatrixView& source) : shape_(source) {
  if (kernels::dtypes::is_quantized(source.dtype)) {
    bytes_.assign(source.data, source.data + kernels::dtypes::stored_bytes(source));
    return;
  }
  shape_.dtype = DType::q8_0;
  bytes_.resize(kernels::dtypes::stored_bytes(shape_));
  std::vector<float> row(static_cast<std::size_t>(source.columns));
  std::byte* out = bytes_.data();
  for (std::int64_t r = 0; r < source.rows; ++r) {
    kernels::dtypes::dequantize_row(source, r, row);
    for (std::size_t at = 0; at < row.size(); at += kBlockValues) {
      write_block(row.data() + at, out);
      out += kernels::dtypes::traits(DType::q8_0).block_bytes;
    }
  }
}

MatrixView QuantizedMatrix::view() const {
  MatrixView view = shape_;
  view.data = bytes_.data();
  return view;
}

}  // namespace parley::inference::encoder
