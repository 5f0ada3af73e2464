#include "kernels/reference/linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "kernels/dtypes/dequantize.h"
#include "kernels/dtypes/half.h"
#include "kernels/dtypes/quant_block.h"

namespace parley::kernels::reference {
namespace {

using dtypes::DType;
using dtypes::MatrixView;

std::vector<std::byte> stored_blocks(DType dtype, int rows, int columns) {
  std::mt19937 random(1);
  std::vector<std::byte> bytes(dtypes::row_bytes(dtype, columns) * static_cast<std::size_t>(rows));
  const auto block_bytes = static_cast<std::size_t>(dtypes::traits(dtype).block_bytes);
  const std::size_t scale_at = dtype == DType::q6_k ? 208 : 0;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  for (std::size_t block = 0; block < bytes.size(); block += block_bytes) {
    const std::uint16_t scale = dtypes::float_to_half(0.01f);
    std::memcpy(bytes.data() + block + scale_at, &scale, 2);
    if (dtypes::has_minimum(dtype)) std::memcpy(bytes.data() + block + 2, &scale, 2);
  }
  return bytes;
}

// The double precision product of the decoded weights with the activations that the integers stand for.
double exact_product(const MatrixView& weights, int output, const QuantizedMatrix& x, int row) {
  std::vector<float> w(static_cast<std::size_t>(weights.columns));
  dtypes::dequantize_row(weights, output, w);
  double sum = 0.0;
  for (int k = 0; k < x.columns; ++k) {
    const auto index = static_cast<std::size_t>(row * x.columns + k);
    sum += double{w[static_cast<std::size_t>(k)]} * x.values[index] * x.scales[index / 32];
  }
  return sum;
}

TEST(ReferenceLinear, AgreesWithDoublePrecisionOnEveryQuantisedType) {
  constexpr int kColumns = 512;
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  std::vector<float> x(3 * kColumns);
  for (float& value : x) value = normal(random);
  const QuantizedMatrix quantized = quantize_rows(x, 3, kColumns);
  for (const DType dtype : {DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1, DType::q8_0, DType::q4_k,
                            DType::q5_k, DType::q6_k}) {
    const std::vector<std::byte> bytes = stored_blocks(dtype, 5, kColumns);
    const MatrixView weights{dtype, 5, kColumns, bytes.data()};
    std::vector<float> out(15);
    multiply(weights, quantized, out);
    std::vector<float> w(kColumns);
    for (int row = 0; row < 3; ++row)
      for (int output = 0; output < 5; ++output) {
        dequantize_row(weights, output, w);
        double magnitude = 0.0;
        for (const float value : w) magnitude += std::fabs(value);
        EXPECT_NEAR(out[static_cast<std::size_t>(row * 5 + output)],
                    exact_product(weights, output, quantized, row), 1e-6 * magnitude * 4)
            << dtypes::traits(dtype).name;
      }
  }
}

TEST(ReferenceLinear, QuantisedValuesStandForTheInput) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> x(128);
  for (float& value : x) value = normal(random);
  const QuantizedMatrix quantized = quantize_rows(x, 2, 64);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float scale = quantized.scales[i / 32];
    EXPECT_NEAR(x[i], scale * static_cast<float>(quantized.values[i]), 0.5001f * scale);
  }
  EXPECT_EQ(quantized.scaled_sums.size(), 4u);
}

TEST(ReferenceLinear, ASmallProductByHand) {
  // Q8_0 block: scale 0.5, quants 2, -3, 0 ...; activations 127, 127, 0 ... with scale 1.
  std::vector<std::byte> bytes(34);
  const std::uint16_t half = dtypes::float_to_half(0.5f);
  std::memcpy(bytes.data(), &half, 2);
  bytes[2] = std::byte{2};
  bytes[3] = static_cast<std::byte>(-3);
  std::vector<float> x(32, 0.0f);
  x[0] = x[1] = 127.0f;
  std::vector<float> out(1);
  multiply({DType::q8_0, 1, 32, bytes.data()}, quantize_rows(x, 1, 32), out);
  EXPECT_EQ(out[0], 0.5f * (2 * 127 - 3 * 127));
}

TEST(ReferenceLinear, FloatWeightsMultiplyInOrder) {
  const float weights[] = {1.0f, 2.0f, -0.5f, 0.25f, 1e8f, 1.0f};
  const std::vector<float> x = {1.0f, 1.0f, 4.0f, -4.0f, 2.0f, 8.0f};
  std::vector<float> out(4);
  multiply_float({DType::f32, 2, 3, reinterpret_cast<const std::byte*>(weights)}, x, 2, out);
  EXPECT_EQ(out[0], 1.0f + 2.0f - 2.0f);
  EXPECT_EQ(out[1], std::fma(1.0f, 4.0f, std::fma(1e8f, 1.0f, 0.25f)));
  EXPECT_EQ(out[2], -4.0f + 4.0f - 4.0f);
  EXPECT_EQ(out[3], std::fma(1.0f, 8.0f, std::fma(1e8f, 2.0f, -1.0f)));
}

}  // namespace
}  // namespace parley::kernels::reference
