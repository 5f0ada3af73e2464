#include "inference/formats/gguf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::formats {
namespace {

using kernels::dtypes::DType;
using tests::fakes::GgufWriter;

class GgufTest : public testing::Test {
 protected:
  std::unique_ptr<GgufFile> open(const GgufWriter& writer) {
    const auto path = directory_.path() / "model.gguf";
    writer.write(path);
    return open_gguf(path);
  }

  template <typename T>
  T value(const GgufFile& file, std::string_view key) {
    const MetadataValue* found = file.find_metadata(key);
    if (found == nullptr) throw std::logic_error("no key " + std::string(key));
    return std::get<T>(*found);
  }

  tests::fakes::TempDirectory directory_;
};

TEST_F(GgufTest, reads_versions_2_and_3_alike) {
  for (const std::uint32_t version : {2U, 3U}) {
    GgufWriter writer;
    writer.version = version;
    writer.add("general.architecture", "llama").add_f32("weight", {2, 3}, {1, 2, 3, 4, 5, 6});
    const auto file = open(writer);
    EXPECT_EQ(file->version(), static_cast<int>(version));
    EXPECT_EQ(file->file_bytes(), writer.bytes().size());
    EXPECT_EQ(file->path(), directory_.path() / "model.gguf");
    EXPECT_EQ(value<std::string>(*file, "general.architecture"), "llama");
    ASSERT_EQ(file->tensors().size(), 1U);
  }
}

TEST_F(GgufTest, widens_every_scalar_type) {
  GgufWriter writer;
  writer.add("u8", std::uint8_t{255}).add("i8", std::int8_t{-128});
  writer.add("u16", std::uint16_t{65535}).add("i16", std::int16_t{-32768});
  writer.add("u32", std::uint32_t{4294967295U}).add("i32", std::int32_t{-2147483647});
  writer.add("u64", std::numeric_limits<std::uint64_t>::max());
  writer.add("i64", std::numeric_limits<std::int64_t>::min());
  writer.add("f32", 0.1F).add("f64", 0.1).add("yes", true).add("no", false).add("text", "a b");
  const auto file = open(writer);
  EXPECT_EQ(value<std::uint64_t>(*file, "u8"), 255U);
  EXPECT_EQ(value<std::int64_t>(*file, "i8"), -128);
  EXPECT_EQ(value<std::uint64_t>(*file, "u16"), 65535U);
  EXPECT_EQ(value<std::int64_t>(*file, "i16"), -32768);
  EXPECT_EQ(value<std::uint64_t>(*file, "u32"), 4294967295U);
  EXPECT_EQ(value<std::int64_t>(*file, "i32"), -2147483647);
  EXPECT_EQ(value<std::uint64_t>(*file, "u64"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value<std::int64_t>(*file, "i64"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value<double>(*file, "f32"), static_cast<double>(0.1F));
  EXPECT_EQ(value<double>(*file, "f64"), 0.1);
  EXPECT_TRUE(value<bool>(*file, "yes"));
  EXPECT_FALSE(value<bool>(*file, "no"));
  EXPECT_EQ(value<std::string>(*file, "text"), "a b");
  EXPECT_EQ(file->metadata().size(), 13U);
  EXPECT_EQ(file->metadata()[1].key, "i8") << "the order of the file is kept";
}

TEST_F(GgufTest, widens_every_array_type) {
  GgufWriter writer;
  writer.add_array<std::uint8_t>("u8", {0, 255}).add_array<std::int8_t>("i8", {-128, 127});
  writer.add_array<std::uint16_t>("u16", {65535}).add_array<std::int16_t>("i16", {-32768});
  writer.add_array<std::uint32_t>("u32", {4294967295U}).add_array<std::int32_t>("i32", {-1, 7});
  writer.add_array<std::uint64_t>("u64", {9223372036854775807U}).add_array<std::int64_t>("i64", {-5});
  writer.add_array<float>("f32", {0.5F, -2}).add_array<double>("f64", {0.1});
  writer.add_array<bool>("bool", {true, false, true});
  writer.add_array<std::string>("text", {"", "x", "longer than the small buffer of a string"});
  writer.add_array<std::int32_t>("none", {});
  const auto file = open(writer);
  using Integers = std::vector<std::int64_t>;
  EXPECT_EQ(value<Integers>(*file, "u8"), (Integers{0, 255}));
  EXPECT_EQ(value<Integers>(*file, "i8"), (Integers{-128, 127}));
  EXPECT_EQ(value<Integers>(*file, "u16"), (Integers{65535}));
  EXPECT_EQ(value<Integers>(*file, "i16"), (Integers{-32768}));
  EXPECT_EQ(value<Integers>(*file, "u32"), (Integers{4294967295}));
  EXPECT_EQ(value<Integers>(*file, "i32"), (Integers{-1, 7}));
  EXPECT_EQ(value<Integers>(*file, "u64"), (Integers{9223372036854775807}));
  EXPECT_EQ(value<Integers>(*file, "i64"), (Integers{-5}));
  EXPECT_EQ(value<std::vector<double>>(*file, "f32"), (std::vector<double>{0.5, -2}));
  EXPECT_EQ(value<std::vector<double>>(*file, "f64"), (std::vector<double>{0.1}));
  EXPECT_EQ(value<std::vector<bool>>(*file, "bool"), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(value<std::vector<std::string>>(*file, "text").at(2), "longer than the small buffer of a string");
  EXPECT_TRUE(value<Integers>(*file, "none").empty());
}

TEST_F(GgufTest, places_tensors_by_the_alignment_of_the_file) {
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

TEST_F(GgufTest, describes_tensors_as_matrices) {
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

TEST_F(GgufTest, knows_the_number_and_size_of_every_supported_tensor_type) {
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

TEST_F(GgufTest, opens_a_file_without_tensors) {
  GgufWriter writer;
  writer.add("k", 1);
  EXPECT_TRUE(open(writer)->tensors().empty());
  EXPECT_TRUE(open(GgufWriter())->metadata().empty());
}

TEST_F(GgufTest, typed_reads_give_the_value_or_nothing) {
  GgufWriter writer;
  writer.add("unsigned", 7U).add("signed", -7).add("float", 1.5F).add("flag", true).add("text", "t");
  const auto file = open(writer);
  EXPECT_EQ(find_integer(*file, "unsigned"), 7);
  EXPECT_EQ(find_integer(*file, "signed"), -7);
  EXPECT_EQ(find_number(*file, "float"), 1.5);
  EXPECT_EQ(find_number(*file, "unsigned"), 7.0);
  EXPECT_EQ(find_number(*file, "signed"), -7.0);
  EXPECT_EQ(find_bool(*file, "flag"), true);
  EXPECT_EQ(find_string(*file, "text"), "t");
  EXPECT_EQ(find_integer(*file, "absent"), std::nullopt);
  EXPECT_EQ(find_number(*file, "absent"), std::nullopt);
  EXPECT_EQ(find_bool(*file, "absent"), std::nullopt);
  EXPECT_EQ(find_string(*file, "absent"), std::nullopt);
}

TEST_F(GgufTest, typed_reads_refuse_other_types_and_name_the_key) {
  GgufWriter writer;
  writer.add("text", "t").add("number", 1).add("huge", std::numeric_limits<std::uint64_t>::max());
  writer.add("nan", std::nanf("")).add_array<std::int32_t>("list", {1});
  const auto file = open(writer);
  const auto message = [&](auto read, std::string_view key) -> std::string {
    try {
      read(*file, key);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string name = (directory_.path() / "model.gguf").string() + ": metadata key ";
  EXPECT_EQ(message(find_integer, "text"), name + "'text': must be an integer, is a string");
  EXPECT_EQ(message(find_integer, "huge"), name + "'huge': 18446744073709551615 is out of range");
  EXPECT_EQ(message(find_number, "list"), name + "'list': must be a number, is an array of integers");
  EXPECT_EQ(message(find_number, "nan"), name + "'nan': is not a finite number");
  EXPECT_EQ(message(find_bool, "number"), name + "'number': must be a boolean, is an integer");
  EXPECT_EQ(message(find_string, "number"), name + "'number': must be a string, is an integer");
}

}  // namespace
}  // namespace parley::inference::formats
