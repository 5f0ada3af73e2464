// Real model files, field by field as the `gguf` package reads them (tests/goldens/describe_gguf.py).

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <variant>

#include "inference/formats/gguf.h"
#include "tests/fakes/model_files.h"

namespace parley::inference::formats {
namespace {

std::string hex(std::uint64_t value) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << value;
  return text.str();
}

std::string fnv1a(std::string_view bytes) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : bytes) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hex(value);
}

std::string element_bytes(const std::string& value) { return value; }
std::string element_bytes(std::int64_t value) { return std::to_string(value); }
std::string element_bytes(bool value) { return value ? "1" : "0"; }
std::string element_bytes(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return {reinterpret_cast<const char*>(&bits), sizeof(bits)};
}

struct Describe {
  std::string operator()(bool value) const { return value ? "bool 1" : "bool 0"; }
  std::string operator()(std::int64_t value) const { return "integer " + std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return "integer " + std::to_string(value); }
  std::string operator()(double value) const { return "float " + hex(std::bit_cast<std::uint64_t>(value)); }
  std::string operator()(const std::string& value) const {
    return "string " + std::to_string(value.size()) + " " + fnv1a(value);
  }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    std::string joined;
    for (const auto& value : values) joined += element_bytes(static_cast<T>(value)) + '\0';
    return "array " + std::to_string(values.size()) + " " + fnv1a(joined);
  }
};

std::string describe(const GgufFile& file) {
  std::ostringstream text;
  for (const MetadataEntry& entry : file.metadata()) {
    text << entry.key << ' ' << std::visit(Describe{}, entry.value) << '\n';
  }
  // The file's start in memory: the one tensor that reaches the end tells it without a second mapping.
  const std::byte* end = nullptr;
  for (const TensorInfo& tensor : file.tensors()) {
    const auto bytes =
        kernels::dtypes::row_bytes(tensor.matrix.dtype, tensor.matrix.columns) * tensor.matrix.rows;
    end = std::max(end, tensor.matrix.data + bytes);
  }
  const std::byte* start = end - file.file_bytes();
  for (const TensorInfo& tensor : file.tensors()) {
    text << tensor.name << ' ' << kernels::dtypes::traits(tensor.matrix.dtype).name << ' ';
    for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
      text << (i > 0 ? "x" : "") << tensor.dimensions[i];
    }
    text << ' ' << tensor.matrix.data - start << '\n';
  }
  return text.str();
}

class GgufModels : public testing::TestWithParam<const char*> {};

TEST_P(GgufModels, agree_with_the_gguf_package) {
  const std::string file_name = std::string(GetParam()) + ".gguf";
  const auto path = tests::fakes::find_model(file_name);
  if (!path) GTEST_SKIP() << tests::fakes::missing_model(file_name);
  std::ifstream golden(std::string(PARLEY_SOURCE_DIR) + "/tests/goldens/gguf/" + GetParam() + ".txt");
  ASSERT_TRUE(golden) << "no golden";
  std::istringstream described(describe(*open_gguf(*path)));
  std::string expected;
  std::string actual;
  while (std::getline(golden, expected)) {
    ASSERT_TRUE(std::getline(described, actual)) << "missing: " << expected;
    EXPECT_EQ(actual, expected);
  }
  EXPECT_FALSE(std::getline(described, actual)) << "too much: " << actual;
}

INSTANTIATE_TEST_SUITE_P(RealFiles, GgufModels,
                         testing::Values("SmolLM2-135M-Instruct.Q4_1", "qwen2.5-coder-0.5b",
                                         "qwen2.5-coder-1.5b"),
                         [](const auto& model) {
                           std::string name = model.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace parley::inference::formats
