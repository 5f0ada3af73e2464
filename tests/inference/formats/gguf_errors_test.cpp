// Every check of the reader met alone: what it says, and that counts from hell are refused before memory is
// taken.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "inference/formats/gguf.h"
#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/temp_directory.h"

namespace parley::inference::formats {
namespace {

using tests::fakes::GgufWriter;
using tests::fakes::kGgufArray;
using tests::fakes::raw;
using tests::fakes::raw_string;

// Sizes and counts that have broken other readers.
constexpr std::uint64_t kHostileNumbers[] = {std::uint64_t{1} << 31,
                                             (std::uint64_t{1} << 31) - 1,
                                             std::uint64_t{1} << 32,
                                             (std::uint64_t{1} << 42) + 1,
                                             std::uint64_t{1} << 62,
                                             (std::uint64_t{1} << 63) - 1,
                                             std::uint64_t{1} << 63,
                                             std::numeric_limits<std::uint64_t>::max() - 1,
                                             std::numeric_limits<std::uint64_t>::max()};

class GgufErrors : public testing::Test {
 protected:
  std::string error_of_bytes(std::string_view bytes) {
    GgufWriter::write_file(path_, bytes);
    return error_of_file();
  }
  std::string error_of(const GgufWriter& writer) { return error_of_bytes(writer.bytes()); }
  std::string error_of_file() {
    try {
      open_gguf(path_);
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      const std::string prefix = path_.string() + ": ";
      return text.starts_with(prefix) ? text.substr(prefix.size()) : "no file name: " + text;
    }
    return "no error";
  }

  tests::fakes::TempDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "bad.gguf";
};

std::string array_of(std::uint32_t type, std::uint64_t count, std::string_view elements) {
  return raw(type) + raw(count) + std::string(elements);
}

TEST_F(GgufErrors, says_why_a_file_cannot_be_opened) {
  EXPECT_EQ(error_of_file(), "cannot open: No such file or directory");
  std::filesystem::create_directory(path_);
  EXPECT_EQ(error_of_file(), "not a regular file");
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(error_of_file(), "not a regular file") << "and does not wait for a writer";
}

TEST_F(GgufErrors, refuses_other_files) {
  EXPECT_EQ(error_of_bytes(""),
            "magic: needs 4 bytes at offset 0 but the file ends at 0; it is incomplete or damaged");
  EXPECT_EQ(error_of_bytes("PK\3\4 some archive"), "magic: not a GGUF file");
  GgufWriter writer;
  writer.version = 1;
  EXPECT_EQ(error_of(writer), "version: GGUF version 1; versions 2 and 3 are supported");
  writer.version = 0x03000000;
  EXPECT_EQ(error_of(writer), "version: a big-endian file; convert it to little-endian first");
}

TEST_F(GgufErrors, refuses_counts_that_cannot_be_true) {
  for (const std::uint64_t count : kHostileNumbers) {
    GgufWriter tensors;
    tensors.tensor_count = count;
    EXPECT_EQ(error_of(tensors),
              "tensor count: " + std::to_string(count) + " tensors, at most 65536 are allowed");
    GgufWriter entries;
    entries.metadata_count = count;
    EXPECT_EQ(error_of(entries),
              "metadata count: " + std::to_string(count) + " entries, at most 65536 are allowed");
  }
  GgufWriter one_too_many;
  one_too_many.metadata_count = 1;
  EXPECT_EQ(
      error_of(one_too_many),
      "metadata count: 1 entries do not fit into the 0 bytes that follow; the file is incomplete or damaged");
}

TEST_F(GgufErrors, refuses_string_lengths_that_cannot_be_true) {
  for (const std::uint64_t length : kHostileNumbers) {
    const std::string shown = std::to_string(length);
    EXPECT_EQ(error_of(GgufWriter().add_raw("k", 8, raw(length) + "abc")),
              "metadata key 'k': string of " + shown + " bytes, at most 16777216 are allowed");
    GgufWriter key;
    key.metadata_count = 1;
    EXPECT_EQ(error_of_bytes(key.bytes() + raw(length) + "0123456789"),
              "metadata entry 0: string of " + shown + " bytes, at most 65535 are allowed");
    GgufWriter name;
    name.tensor_count = 1;
    EXPECT_EQ(error_of_bytes(name.bytes() + raw(length) + std::string(24, '\0')),
              "tensor 0: string of " + shown + " bytes, at most 65535 are allowed");
  }
}

TEST_F(GgufErrors, refuses_array_lengths_that_cannot_be_true) {
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

TEST_F(GgufErrors, refuses_unknown_and_nested_types) {
  EXPECT_EQ(error_of(GgufWriter().add_raw("k", 13, "12345678")), "metadata key 'k': unknown value type 13");
  EXPECT_EQ(error_of(GgufWriter().add_raw("k", kGgufArray, array_of(13, 1, "12345678"))),
            "metadata key 'k': unknown array element type 13");
  const std::string inner = array_of(kGgufArray, 1, array_of(0, 1, "x"));
  EXPECT_EQ(error_of(GgufWriter().add_raw("k", kGgufArray, inner)),
            "metadata key 'k': an array of arrays is not supported");
}

TEST_F(GgufErrors, refuses_values_out_of_range) {
  EXPECT_EQ(error_of(GgufWriter().add("k", true).add_raw("b", 7, "\2")),
            "metadata key 'b': a boolean must be 0 or 1, found 2");
  EXPECT_EQ(error_of(GgufWriter().add_raw("b", kGgufArray, array_of(7, 2, "\1\xff"))),
            "metadata key 'b': a boolean must be 0 or 1, found 255");
  EXPECT_EQ(error_of(GgufWriter().add_array<std::uint64_t>("u", {1, std::uint64_t{1} << 63})),
            "metadata key 'u': element 1 is 9223372036854775808, above the largest 9223372036854775807");
}

TEST_F(GgufErrors, refuses_empty_and_repeated_names) {
  EXPECT_EQ(error_of(GgufWriter().add("", 1)), "metadata entry 0: empty key");
  EXPECT_EQ(error_of(GgufWriter().add("a", 1).add("b", 1).add("a", 2)), "metadata key 'a': appears twice");
  EXPECT_EQ(error_of(GgufWriter().add_f32("", {1}, {1})), "tensor 0: empty name");
  EXPECT_EQ(error_of(GgufWriter().add_f32("t", {1}, {1}).add_f32("u", {1}, {1}).add_f32("t", {1}, {1})),
            "tensor 't': appears twice");
}

TEST_F(GgufErrors, shows_hostile_names_escaped_and_shortened) {
  EXPECT_EQ(error_of(GgufWriter().add_raw("a\n\x1b[31m'\xff", 13, "")).substr(0, 52),
            "metadata key 'a\\x0a\\x1b[31m\\x27\\xff': unknown value ");
  EXPECT_EQ(error_of(GgufWriter().add_raw(std::string(1000, 'k'), 13, "")),
            "metadata key '" + std::string(80, 'k') + "...': unknown value type 13");
}

TEST_F(GgufErrors, refuses_impossible_alignments) {
  const auto error = [this](auto alignment) {
    return error_of(GgufWriter().add("general.alignment", alignment));
  };
  for (const std::uint32_t alignment : {0U, 1U, 4U, 24U, 33U, 2097152U, 0x80000000U, 0xffffffffU}) {
    EXPECT_EQ(error(alignment), "metadata key 'general.alignment': is " + std::to_string(alignment) +
                                    "; must be a power of two from 8 to 1048576");
  }
  EXPECT_EQ(error(-32), "metadata key 'general.alignment': must be an unsigned integer");
  EXPECT_EQ(error("32"), "metadata key 'general.alignment': must be an unsigned integer");
  EXPECT_EQ(error(1048576U), "no error");
}

TEST_F(GgufErrors, refuses_impossible_shapes) {
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

TEST_F(GgufErrors, refuses_rows_of_partial_blocks) {
  EXPECT_EQ(error_of(GgufWriter().add_tensor("t", {48, 2}, 8, std::string(1000, 'x'))),
            "tensor 't': rows of 48 values, but Q8_0 needs a multiple of 32");
  EXPECT_EQ(error_of(GgufWriter().add_tensor("t", {128, 2}, 12, std::string(1000, 'x'))),
            "tensor 't': rows of 128 values, but Q4_K needs a multiple of 256");
}

TEST_F(GgufErrors, names_unsupported_tensor_types_with_their_number) {
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

TEST_F(GgufErrors, refuses_data_outside_the_file) {
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

TEST_F(GgufErrors, refuses_overlapping_data) {
  GgufWriter writer;
  writer.add_tensor("second", {16}, 0, std::string(64, 'x')).add_tensor_at("first", {8}, 0, 0);
  EXPECT_EQ(error_of(writer), "tensor 'first': its data overlaps that of tensor 'second'");
}

TEST_F(GgufErrors, refuses_data_section_that_would_start_behind_the_end) {
  GgufWriter writer;
  writer.add("general.alignment", 1048576U).add_tensor_at("t", {1}, 0, 0);
  EXPECT_TRUE(error_of(writer).starts_with("tensor 't': its 4 bytes at offset 0 reach past"))
      << error_of(writer);
}

// A file may be large and well-formed and still describe more than memory should hold.
TEST_F(GgufErrors, keeps_metadata_within_its_memory_budget) {
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
