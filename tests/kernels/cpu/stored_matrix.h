#pragma once
// Random matrices in stored form for the tests of the linear layers.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/dtypes/dtype.h"
#include "kernels/dtypes/half.h"
#include "tests/kernels/cpu/all_isas.h"
#include "tests/kernels/dtypes/print_dtype.h"

namespace parley::kernels {

inline const std::vector<dtypes::DType>& all_dtypes() {
  using dtypes::DType;
  static const std::vector<DType> kAll = {DType::f32,  DType::f16,  DType::bf16, DType::q4_0,
                                          DType::q4_1, DType::q5_0, DType::q5_1, DType::q8_0,
                                          DType::q4_k, DType::q5_k, DType::q6_k};
  return kAll;
}

struct StoredMatrix {
  std::vector<std::byte> bytes;
  dtypes::MatrixView view;

  StoredMatrix(dtypes::DType dtype, std::int64_t rows, std::int64_t columns, unsigned seed) {
    view = {dtype, rows, columns, nullptr};
    bytes.resize(dtypes::row_bytes(dtype, columns) * static_cast<std::size_t>(rows));
    view.data = bytes.data();
    fill(seed);
  }
  StoredMatrix(StoredMatrix&&) = default;

 private:
  // Any quants are valid; the f16 fields get values of a usual size.
  void fill(unsigned seed) {
    std::mt19937 random(seed);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const dtypes::DTypeTraits& type = dtypes::traits(view.dtype);
    for (std::size_t block = 0; block < bytes.size(); block += static_cast<std::size_t>(type.block_bytes)) {
      for (const int offset : half_offsets()) put_value(bytes.data() + block + offset, random);
    }
  }
  std::vector<int> half_offsets() const {
    switch (view.dtype) {
      case dtypes::DType::q6_k:
        return {208};
      case dtypes::DType::q4_1:
      case dtypes::DType::q5_1:
      case dtypes::DType::q4_k:
      case dtypes::DType::q5_k:
        return {0, 2};
      default:
        return {0};
    }
  }
  void put_value(std::byte* to, std::mt19937& random) const {
    const float value = std::normal_distribution<float>(0.0f, 0.02f)(random);
    if (view.dtype == dtypes::DType::f32) {
      std::memcpy(to, &value, sizeof value);
      return;
    }
    const std::uint16_t bits =
        view.dtype == dtypes::DType::bf16 ? dtypes::float_to_bfloat16(value) : dtypes::float_to_half(value);
    std::memcpy(to, &bits, sizeof bits);
  }
};

inline std::vector<float> random_floats(std::size_t count, unsigned seed, float deviation = 1.0f) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0.0f, deviation);
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

// Unlike ==, tells zeros apart and finds a NaN equal to itself.
inline testing::AssertionResult same_bits(const std::vector<float>& actual,
                                          const std::vector<float>& expected) {
  if (actual.size() != expected.size()) return testing::AssertionFailure() << "sizes differ";
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(actual[i]) == std::bit_cast<std::uint32_t>(expected[i])) continue;
    return testing::AssertionFailure()
           << "value " << i << " is " << actual[i] << " instead of " << expected[i];
  }
  return testing::AssertionSuccess();
}

}  // namespace parley::kernels
