#include "inference/formats/gguf_tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/inference/formats/written_file.h"
#include "tests/kernels/dtypes/print_dtype.h"

namespace parley::inference::formats {
namespace {

using kernels::dtypes::DType;
using tests::fakes::GgufWriter;
using tests::fakes::raw;

using GgufTensors = WrittenFile;

TEST_F(GgufTensors, places_tensors_by_the_alignment_of_the_file) {
  for (const std::uint32_t alignment : {8U, 32U, 256U}) {
    GgufWriter writer;
    writer.alignment = alignment;
    writer.add("general.alignment", alignment);
    writer.add_f32("a", {3}, {1, 2, 3}).add_f32("b", {1, 2}, {4, 5});
    const auto file = open(writer);
    const TensorInfo* a = file->find_tensor("a");
    const TensorInfo* b = file->find_tensor("b");
    ASSERT_TRUE(a != nullptr && b != nullptr);
    EXPECT_EQ(b->matrix.data - a->matrix.data, static_cast<std::ptrdiff_t>(std::max(alignment, 16U)));
    float values[2];
    std::memcpy(values, b->matrix.data, sizeof(values));
    EXPECT_EQ(values[0], 4);
    EXPECT_EQ(values[1], 5);
  }
}

TEST_F(GgufTensors, describes_tensors_as_matrices) {
  GgufWriter writer;
  writer.add_f32("vector", {5}, std::vector<float>(5)).add_f32("matrix", {2, 3}, std::vector<float>(6));
  writer.add_f32("cube", {2, 3, 4, 1}, std::vector<float>(24));
  const auto file = open(writer);
  const TensorInfo* vector = file->find_tensor("vector");
  EXPECT_EQ(vector->matrix.rows, 1);
  EXPECT_EQ(vector->matrix.columns, 5);
  const TensorInfo* matrix = file->find_tensor("matrix");
  EXPECT_EQ(matrix->matrix.rows, 3);
  EXPECT_EQ(matrix->matrix.columns, 2);
  const TensorInfo* cube = file->find_tensor("cube");
  EXPECT_EQ(cube->matrix.rows, 12);
  EXPECT_EQ(cube->dimensions, (std::vector<std::int64_t>{2, 3, 4, 1}));
  EXPECT_EQ(file->find_tensor("cub"), nullptr);
  EXPECT_EQ(file->find_tensor(""), nullptr);
}

TEST_F(GgufTensors, knows_the_number_and_size_of_every_supported_tensor_type) {
  struct Case {
    std::uint32_t number;
    DType dtype;
    std::uint64_t columns;
    std::size_t bytes;
  };
  const Case cases[] = {{0, DType::f32, 1, 4},       {1, DType::f16, 1, 2},      {30, DType::bf16, 1, 2},
                        {2, DType::q4_0, 32, 18},    {3, DType::q4_1, 32, 20},   {6, DType::q5_0, 32, 22},
                        {7, DType::q5_1, 32, 24},    {8, DType::q8_0, 32, 34},   {12, DType::q4_k, 256, 144},
                        {13, DType::q5_k, 256, 176}, {14, DType::q6_k, 256, 210}};
  for (const Case& c : cases) {
    GgufWriter writer;
    writer.add_tensor("t", {c.columns, 2}, c.number, std::string(2 * c.bytes, 'x'));
    EXPECT_EQ(open(writer)->find_tensor("t")->matrix.dtype, c.dtype);
    GgufWriter shorter;
    shorter.add_tensor("t", {c.columns, 2}, c.number, std::string(2 * c.bytes - 1, 'x'));
    EXPECT_THROW(open(shorter), std::runtime_error) << "type " << c.number;
  }
}

TEST_F(GgufTensors, refuses_name_lengths_that_cannot_be_true) {
  for (const std::uint64_t length : kHostileNumbers) {
    GgufWriter name;
    name.tensor_count = 1;
    EXPECT_EQ(error_of_bytes(name.bytes() + raw(length) + std::string(24, '\0')),
              "tensor 0: string of " + std::to_string(length) + " bytes, at most 65535 are allowed");
  }
}

TEST_F(GgufTensors, refuses_empty_names) {
  EXPECT_EQ(error_of(GgufWriter().add_f32("", {1}, {1})), "tensor 0: empty name");
}

TEST_F(GgufTensors, refuses_impossible_shapes) {
  const std::string data(64, 'x');
  const auto error = [&](const std::vector<std::uint64_t>& dimensions) {
    return error_of(GgufWriter().add_tensor("t", dimensions, 0, data));
  };
  EXPECT_EQ(error({}), "tensor 't': 0 dimensions; a tensor has 1 to 4");
  EXPECT_EQ(error({1, 1, 1, 1, 1}), "tensor 't': 5 dimensions; a tensor has 1 to 4");
  EXPECT_EQ(error({0}), "tensor 't': dimension 0 is 0");
  EXPECT_EQ(error({2, 0}), "tensor 't': dimension 1 is 0");
  EXPECT_EQ(error({std::uint64_t{1} << 63}),
            "tensor 't': dimension 0 is 9223372036854775808: the number of elements overflows");
  EXPECT_EQ(error({std::uint64_t{1} << 32, std::uint64_t{1} << 31}),
            "tensor 't': dimension 1 is 2147483648: the number of elements overflows");
  EXPECT_EQ(error({std::uint64_t{1} << 62}), "tensor 't': its size in bytes overflows");
  for (const std::uint64_t size : kHostileNumbers) {
    EXPECT_TRUE(error({size}).starts_with("tensor 't': ")) << size;
    EXPECT_TRUE(error({4, size, 4}).starts_with("tensor 't': ")) << size;
  }
}

TEST_F(GgufTensors, refuses_rows_of_partial_blocks) {
  EXPECT_EQ(error_of(GgufWriter().add_tensor("t", {48, 2}, 8, std::string(1000, 'x'))),
            "tensor 't': rows of 48 values, but Q8_0 needs a multiple of 32");
  EXPECT_EQ(error_of(GgufWriter().add_tensor("t", {128, 2}, 12, std::string(1000, 'x'))),
            "tensor 't': rows of 128 values, but Q4_K needs a multiple of 256");
}

TEST_F(GgufTensors, names_unsupported_tensor_types_with_their_number) {
  const std::string supported =
      " is not supported; supported are F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K, Q6_K, BF16";
  const auto error = [&](std::uint32_t type) {
    return error_of(GgufWriter().add_tensor("t", {256}, type, "x"));
  };
  EXPECT_EQ(error(10), "tensor 't': tensor type 10 (Q2_K)" + supported);
  EXPECT_EQ(error(39), "tensor 't': tensor type 39 (MXFP4)" + supported);
  for (const std::uint32_t type : {4U, 5U, 31U, 1000U, 0xffffffffU}) {
    EXPECT_EQ(error(type), "tensor 't': tensor type " + std::to_string(type) + supported);
  }
}

TEST_F(GgufTensors, refuses_data_outside_the_file) {
  const auto error = [this](std::uint64_t offset, std::uint64_t size) {
    GgufWriter writer;
    writer.add_tensor("first", {16}, 0, std::string(64, 'x'));
    return error_of(writer.add_tensor_at("t", {size}, 0, offset));
  };
  EXPECT_EQ(error(64, 1),
            "tensor 't': its 4 bytes at offset 64 reach past the end of the data (64 bytes); the file is "
            "incomplete "
            "or damaged");
  EXPECT_TRUE(error(0, 17).starts_with("tensor 't': its 68 bytes at offset 0 reach past"));
  EXPECT_TRUE(error(0, 1U << 28).starts_with("tensor 't': its 1073741824 bytes at offset 0 reach past"));
  EXPECT_EQ(error(33, 1), "tensor 't': offset 33 is not a multiple of the alignment 32");
  for (const std::uint64_t number : kHostileNumbers) {
    EXPECT_TRUE(error(number / 32 * 32, 1).starts_with("tensor 't': its 4 bytes at offset")) << number;
  }
}

TEST_F(GgufTensors, refuses_overlapping_data) {
  GgufWriter writer;
  writer.add_tensor("second", {16}, 0, std::string(64, 'x')).add_tensor_at("first", {8}, 0, 0);
  EXPECT_EQ(error_of(writer), "tensor 'first': its data overlaps that of tensor 'second'");
}

TEST_F(GgufTensors, refuses_data_section_that_would_start_behind_the_end) {
  GgufWriter writer;
  writer.add("general.alignment", 1048576U).add_tensor_at("t", {1}, 0, 0);
  EXPECT_TRUE(error_of(writer).starts_with("tensor 't': its 4 bytes at offset 0 reach past"))
      << error_of(writer);
}

}  // namespace
}  // namespace parley::inference::formats
