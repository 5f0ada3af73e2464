#include "inference/formats/gguf_cursor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "tests/fakes/gguf_writer.h"
#include "tests/fakes/message_of.h"

namespace parley::inference::formats {
namespace {

using tests::fakes::message_of;
using tests::fakes::raw;
using tests::fakes::raw_string;

GgufCursor cursor_over(const std::string& bytes) {
  return GgufCursor(std::as_bytes(std::span(bytes)), "file.gguf");
}

TEST(GgufCursor, reads_little_endian_values_one_after_the_other) {
  const std::string bytes("\x01\x02\x03\x04\x00\x00\x80\xbf\x01\xfe", 10);
  GgufCursor cursor = cursor_over(bytes);
  EXPECT_EQ(cursor.read<std::uint32_t>(), 0x04030201u);
  EXPECT_EQ(cursor.position(), 4u);
  EXPECT_EQ(cursor.read<float>(), -1.0f);
  EXPECT_TRUE(cursor.read_bool());
  EXPECT_EQ(cursor.read<std::int8_t>(), -2);
  EXPECT_EQ(cursor.position(), bytes.size());
}

TEST(GgufCursor, reads_nothing_behind_the_end) {
  const std::string bytes = "abcde";
  GgufCursor cursor = cursor_over(bytes);
  cursor.set_field("some field");
  cursor.read<std::uint16_t>();
  EXPECT_EQ(
      message_of([&] { cursor.read<std::uint32_t>(); }),
      "file.gguf: some field: needs 4 bytes at offset 2 but the file ends at 5; it is incomplete or damaged");
  EXPECT_EQ(cursor.position(), 2u) << "and stays where it was";
  EXPECT_EQ(cursor.read<std::uint16_t>(), 0x6463u);
}

TEST(GgufCursor, booleans_are_0_or_1) {
  const std::string bytes("\x00\x02", 2);
  GgufCursor cursor = cursor_over(bytes);
  EXPECT_FALSE(cursor.read_bool());
  EXPECT_EQ(message_of([&] { cursor.read_bool(); }), "file.gguf: header: a boolean must be 0 or 1, found 2");
}

TEST(GgufCursor, strings_are_limited_and_lie_in_the_file) {
  const std::string bytes =
      raw_string("") + raw_string("four") + raw_string("five!") + raw(std::uint64_t{9}) + "short";
  GgufCursor cursor = cursor_over(bytes);
  EXPECT_EQ(cursor.read_string(4), "");
  EXPECT_EQ(cursor.read_string(4), "four");
  EXPECT_EQ(message_of([&] { cursor.read_string(4); }),
            "file.gguf: header: string of 5 bytes, at most 4 are allowed");
  cursor.read<std::uint32_t>();
  cursor.read<std::uint8_t>();
  EXPECT_NE(message_of([&] { cursor.read_string(100); }).find("needs 9 bytes at offset"), std::string::npos);
  const std::string huge = raw(UINT64_MAX);
  GgufCursor hostile = cursor_over(huge);
  EXPECT_NE(message_of([&] { hostile.read_string(UINT64_MAX); }), "no error")
      << "no overflow of position + length";
}

TEST(GgufCursor, counts_must_fit_the_limit_and_the_bytes_that_follow) {
  const std::string bytes = raw(std::uint64_t{3}) + "123456";
  EXPECT_EQ(cursor_over(bytes).read_count(3, 2, "things"), 3u);
  EXPECT_EQ(message_of([&] { cursor_over(bytes).read_count(2, 2, "things"); }),
            "file.gguf: header: 3 things, at most 2 are allowed");
  EXPECT_EQ(message_of([&] { cursor_over(bytes).read_count(3, 3, "things"); }),
            "file.gguf: header: 3 things do not fit into the 6 bytes that follow; the file is incomplete or "
            "damaged");
}

TEST(GgufCursor, memory_is_charged_against_one_budget) {
  GgufCursor cursor = cursor_over({});
  cursor.charge(GgufCursor::kMemoryBudget - 1);
  cursor.charge(1);
  cursor.charge(0);
  EXPECT_EQ(message_of([&] { cursor.charge(1); }),
            "file.gguf: header: metadata and tensor descriptions would take more than 64 MiB of memory");
}

}  // namespace
}  // namespace parley::inference::formats
