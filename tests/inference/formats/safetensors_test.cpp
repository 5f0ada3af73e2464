#include "inference/formats/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <stdexcept>

#include "tests/fakes/file_bytes.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::formats {
namespace {

std::string file_of(const std::string& header, std::size_t value_bytes) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + std::string(value_bytes, '\x3c');
}

const std::string kHeader =
    R"({"__metadata__":{"format":"pt"},"b":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
    R"("a":{"dtype":"F16","shape":[4],"data_offsets":[24,32]},"ids":{"dtype":"I64","shape":[1],"data_offsets":[32,40]}})";

class SafetensorsTest : public testing::Test {
 protected:
  std::unique_ptr<SafetensorsFile> open(const std::string& bytes) {
    tests::fakes::write_file(file(), bytes);
    return open_safetensors(file());
  }
  std::string refusal(const std::string& bytes) {
    try {
      open(bytes);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path file() const { return folder_.path() / "model.safetensors"; }

  tests::fakes::TempDirectory folder_;
};

TEST_F(SafetensorsTest, FloatTensorsAreFoundByName) {
  const auto opened = open(file_of(kHeader, 40));
  ASSERT_EQ(opened->tensors().size(), 2u);
  const SafeTensor* matrix = opened->find("b");
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(matrix->matrix.rows, 2);
  EXPECT_EQ(matrix->matrix.columns, 3);
  const SafeTensor* vector = opened->find("a");
  ASSERT_NE(vector, nullptr);
  EXPECT_EQ(vector->matrix.rows, 1);
  EXPECT_EQ(vector->matrix.columns, 4);
  EXPECT_EQ(vector->matrix.dtype, kernels::dtypes::DType::f16);
  EXPECT_EQ(opened->find("ids"), nullptr);
  EXPECT_EQ(opened->find("c"), nullptr);
}

TEST_F(SafetensorsTest, WhatDoesNotFitIsRefusedByName) {
  EXPECT_NE(refusal("short").find("too short"), std::string::npos);
  EXPECT_NE(refusal(file_of(kHeader, 20)).find("'b' lies outside the file"), std::string::npos);
  EXPECT_NE(refusal(file_of("{", 0)).find("no JSON"), std::string::npos);
  EXPECT_NE(refusal(file_of("[]", 0)).find("no JSON object"), std::string::npos);
  const auto with = [&](const std::string& entry) { return refusal(file_of(R"({"x":)" + entry + "}", 64)); };
  EXPECT_NE(with("3").find("no description"), std::string::npos);
  EXPECT_NE(with(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})").find("no valid shape"),
            std::string::npos);
  EXPECT_NE(with(R"({"dtype":"F32","shape":[1099511627776,1099511627776],"data_offsets":[0,4]})")
                .find("no valid shape"),
            std::string::npos);
  EXPECT_NE(with(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})").find("another size"),
            std::string::npos);
  EXPECT_NE(with(R"({"dtype":"F32","shape":[1],"data_offsets":[8,4]})").find("outside"), std::string::npos);
  EXPECT_NE(with(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})").find("outside"), std::string::npos);
  std::string lying = file_of(kHeader, 40);
  lying[7] = '\x7f';
  EXPECT_NE(refusal(lying).find("more than there are"), std::string::npos);
}

TEST_F(SafetensorsTest, DamagedFilesAreRefusedOrReadNeverMore) {
  std::mt19937 random(11);
  const std::string whole = file_of(kHeader, 40);
  for (int i = 0; i < 1'000; ++i) {
    std::string bytes = whole.substr(0, random() % 4 == 0 ? random() % whole.size() : whole.size());
    for (unsigned flips = random() % 4; flips > 0 && !bytes.empty(); --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    try {
      const auto opened = open(bytes);
      for (const auto& tensor : opened->tensors()) {
        const std::size_t size = kernels::dtypes::stored_bytes(tensor.matrix);
        volatile std::byte last = size > 0 ? tensor.matrix.data[size - 1] : std::byte{};
        static_cast<void>(last);
      }
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("model.safetensors"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace parley::inference::formats
