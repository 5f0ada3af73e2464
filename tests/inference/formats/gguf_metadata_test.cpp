#include "inference/formats/gguf_metadata.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/inference/formats/written_file.h"

namespace parley::inference::formats {
namespace {

using tests::fakes::GgufWriter;
using tests::fakes::kGgufArray;
using tests::fakes::raw;

std::string array_of(std::uint32_t type, std::uint64_t count, std::string_view elements) {
  return raw(type) + raw(count) + std::string(elements);
}

using GgufMetadata = WrittenFile;

TEST_F(GgufMetadata, widens_every_scalar_type) {
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

TEST_F(GgufMetadata, widens_every_array_type) {
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

TEST_F(GgufMetadata, refuses_string_lengths_that_cannot_be_true) {
  for (const std::uint64_t length : kHostileNumbers) {
    const std::string shown = std::to_string(length);
    EXPECT_EQ(error_of(GgufWriter().add_raw("k", 8, raw(length) + "abc")),
              "metadata key 'k': string of " + shown + " bytes, at most 16777216 are allowed");
    GgufWriter key;
    key.metadata_count = 1;
    EXPECT_EQ(error_of_bytes(key.bytes() + raw(length) + "0123456789"),
              "metadata entry 0: string of " + shown + " bytes, at most 65535 are allowed");
  }
}

TEST_F(GgufMetadata, refuses_array_lengths_that_cannot_be_true) {
  for (const std::uint32_t type : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 10U, 11U, 12U}) {
    for (const std::uint64_t count : kHostileNumbers) {
      EXPECT_EQ(
          error_of(GgufWriter().add_raw("k", kGgufArray, array_of(type, count, "0123456789abcdef"))),
          "metadata key 'k': " + std::to_string(count) + " array elements, at most 16777216 are allowed");
    }
    const std::string error =
        error_of(GgufWriter().add_raw("k", kGgufArray, array_of(type, 17, "0123456789abcdef")));
    EXPECT_TRUE(error.starts_with("metadata key 'k': 17 array elements do not fit")) << error;
  }
}

TEST_F(GgufMetadata, refuses_unknown_and_nested_types) {
  EXPECT_EQ(error_of(GgufWriter().add_raw("k", 13, "12345678")), "metadata key 'k': unknown value type 13");
  EXPECT_EQ(error_of(GgufWriter().add_raw("k", kGgufArray, array_of(13, 1, "12345678"))),
            "metadata key 'k': unknown array element type 13");
  const std::string inner = array_of(kGgufArray, 1, array_of(0, 1, "x"));
  EXPECT_EQ(error_of(GgufWriter().add_raw("k", kGgufArray, inner)),
            "metadata key 'k': an array of arrays is not supported");
}

TEST_F(GgufMetadata, refuses_values_out_of_range) {
  EXPECT_EQ(error_of(GgufWriter().add("k", true).add_raw("b", 7, "\2")),
            "metadata key 'b': a boolean must be 0 or 1, found 2");
  EXPECT_EQ(error_of(GgufWriter().add_raw("b", kGgufArray, array_of(7, 2, "\1\xff"))),
            "metadata key 'b': a boolean must be 0 or 1, found 255");
  EXPECT_EQ(error_of(GgufWriter().add_array<std::uint64_t>("u", {1, std::uint64_t{1} << 63})),
            "metadata key 'u': element 1 is 9223372036854775808, above the largest 9223372036854775807");
}

TEST_F(GgufMetadata, refuses_empty_keys) {
  EXPECT_EQ(error_of(GgufWriter().add("", 1)), "metadata entry 0: empty key");
}

TEST_F(GgufMetadata, shows_hostile_names_escaped_and_shortened) {
  EXPECT_EQ(error_of(GgufWriter().add_raw("a\n\x1b[31m'\xff", 13, "")).substr(0, 52),
            "metadata key 'a\\x0a\\x1b[31m\\x27\\xff': unknown value ");
  EXPECT_EQ(error_of(GgufWriter().add_raw(std::string(1000, 'k'), 13, "")),
            "metadata key '" + std::string(80, 'k') + "...': unknown value type 13");
}

// A file may be large and well-formed and still describe more than memory should hold.
TEST_F(GgufMetadata, keeps_metadata_within_its_memory_budget) {
  constexpr std::uint64_t kElements = 9 << 20;  // 9 MiB of bytes, 72 MiB as 64-bit integers
  const GgufWriter writer =
      GgufWriter().add_raw("k", kGgufArray, array_of(0, kElements, std::string(kElements, 'x')));
  EXPECT_EQ(error_of(writer),
            "metadata key 'k': metadata and tensor descriptions would take more than 64 MiB of memory");
  GgufWriter strings;
  for (int i = 0; i < 5; ++i) strings.add("s" + std::to_string(i), std::string(15 << 20, 'x'));
  EXPECT_EQ(error_of(strings),
            "metadata key 's4': metadata and tensor descriptions would take more than 64 MiB of memory");
}

}  // namespace
}  // namespace parley::inference::formats
