#include "kernels/dtypes/dequantize.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/kernels/dtypes/print_dtype.h"

namespace parley::kernels::dtypes {
namespace {

struct Golden {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::byte> stored;
  std::vector<float> values;
};

DType dtype_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(DType::q6_k); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (traits(dtype).name == name) return dtype;
  }
  throw std::runtime_error("no type named " + name);
}

// Written by tests/goldens/dtypes/make_dtype_goldens.py, which describes the file.
std::map<std::string, Golden> load_goldens() {
  std::ifstream file(PARLEY_SOURCE_DIR "/tests/goldens/dtypes/dtypes.bin", std::ios::binary);
  std::map<std::string, Golden> goldens;
  char name[9] = {};
  while (file.read(name, 8)) {
    std::int32_t sizes[2];
    file.read(reinterpret_cast<char*>(sizes), sizeof sizes);
    Golden golden{.rows = sizes[0], .columns = sizes[1], .stored = {}, .values = {}};
    golden.stored.resize(row_bytes(dtype_named(name), golden.columns) *
                         static_cast<std::size_t>(golden.rows));
    golden.values.resize(static_cast<std::size_t>(golden.rows * golden.columns));
    file.read(reinterpret_cast<char*>(golden.stored.data()),
              static_cast<std::streamsize>(golden.stored.size()));
    file.read(reinterpret_cast<char*>(golden.values.data()),
              static_cast<std::streamsize>(golden.values.size() * sizeof(float)));
    if (!file) throw std::runtime_error("the golden file is cut short");
    goldens[name] = golden;
  }
  return goldens;
}

class Dequantize : public testing::TestWithParam<DType> {};

TEST_P(Dequantize, EqualsThePythonDecoderBitForBit) {
  const std::map<std::string, Golden> goldens = load_goldens();
  const Golden& golden = goldens.at(std::string(traits(GetParam()).name));
  const MatrixView matrix{GetParam(), golden.rows, golden.columns, golden.stored.data()};
  std::vector<float> row(static_cast<std::size_t>(golden.columns));
  for (std::int64_t r = 0; r < golden.rows; ++r) {
    dequantize_row(matrix, r, row);
    const float* expected = golden.values.data() + r * golden.columns;
    for (std::size_t i = 0; i < row.size(); ++i) {
      ASSERT_EQ(std::memcmp(&row[i], &expected[i], sizeof(float)), 0)
          << "row " << r << " value " << i << ": " << row[i] << " instead of " << expected[i];
    }
  }
}

TEST_P(Dequantize, ReadsFromAnyAddress) {
  const std::map<std::string, Golden> goldens = load_goldens();
  const Golden& golden = goldens.at(std::string(traits(GetParam()).name));
  std::vector<std::byte> shifted(golden.stored.size() + 1);
  std::memcpy(shifted.data() + 1, golden.stored.data(), golden.stored.size());
  const MatrixView matrix{GetParam(), golden.rows, golden.columns, shifted.data() + 1};
  std::vector<float> row(static_cast<std::size_t>(golden.columns));
  dequantize_row(matrix, golden.rows - 1, row);
  const float* expected = golden.values.data() + (golden.rows - 1) * golden.columns;
  EXPECT_EQ(std::memcmp(row.data(), expected, row.size() * sizeof(float)), 0);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, Dequantize,
                         testing::Values(DType::f32, DType::f16, DType::bf16, DType::q4_0, DType::q4_1,
                                         DType::q5_0, DType::q5_1, DType::q8_0, DType::q4_k, DType::q5_k,
                                         DType::q6_k),
                         [](const auto& type) { return std::string(traits(type.param).name); });

TEST(DequantizeEmpty, RowWithoutColumnsIsAccepted) {
  const MatrixView matrix{DType::f32, 1, 0, nullptr};
  dequantize_row(matrix, 0, {});
  const MatrixView blocks{DType::q4_0, 1, 0, nullptr};
  dequantize_row(blocks, 0, {});
}

}  // namespace
}  // namespace parley::kernels::dtypes
