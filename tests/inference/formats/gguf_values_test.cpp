// The typed reads of gguf.h.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/formats/gguf.h"
#include "tests/fakes/fake_gguf_file.h"
#include "tests/fakes/message_of.h"

namespace parley::inference::formats {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

template <typename Read>
std::string error(const MetadataValue& value, Read read) {
  tests::fakes::FakeGgufFile file;
  file.set("key", value);
  return tests::fakes::message_of([&] { read(file, "key"); });
}

TEST(GgufValues, absent_keys_are_nothing) {
  const tests::fakes::FakeGgufFile file;
  EXPECT_EQ(find_integer(file, "key"), std::nullopt);
  EXPECT_EQ(find_number(file, "key"), std::nullopt);
  EXPECT_EQ(find_bool(file, "key"), std::nullopt);
  EXPECT_EQ(find_string(file, "key"), std::nullopt);
}

TEST(GgufValues, values_come_as_they_are) {
  tests::fakes::FakeGgufFile file;
  file.set("flag", true);
  file.set("text", std::string("t"));
  EXPECT_EQ(find_bool(file, "flag"), true);
  EXPECT_EQ(find_string(file, "text"), "t");
}

TEST(GgufValues, integers_of_both_signs_go_to_the_ends_of_63_bits) {
  tests::fakes::FakeGgufFile file;
  for (const std::int64_t value : {kLeast, std::int64_t{-1}, std::int64_t{0}, kMost}) {
    file.set("key", value);
    EXPECT_EQ(find_integer(file, "key"), value);
    EXPECT_EQ(find_number(file, "key"), static_cast<double>(value));
  }
  file.set("key", static_cast<std::uint64_t>(kMost));
  EXPECT_EQ(find_integer(file, "key"), kMost);
  EXPECT_EQ(error(static_cast<std::uint64_t>(kMost) + 1, find_integer),
            "fake.gguf: metadata key 'key': 9223372036854775808 is out of range");
}

TEST(GgufValues, numbers_are_finite) {
  tests::fakes::FakeGgufFile file;
  file.set("key", std::uint64_t{1} << 63);
  EXPECT_EQ(find_number(file, "key"), 9223372036854775808.0);
  file.set("key", -0.5);
  EXPECT_EQ(find_number(file, "key"), -0.5);
  for (const double value :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(error(value, find_number), "fake.gguf: metadata key 'key': is not a finite number");
  }
}

TEST(GgufValues, other_kinds_are_named) {
  EXPECT_EQ(error(1.0, find_integer), "fake.gguf: metadata key 'key': must be an integer, is a number");
  EXPECT_EQ(error(true, find_number), "fake.gguf: metadata key 'key': must be a number, is a boolean");
  EXPECT_EQ(error(std::int64_t{1}, find_bool),
            "fake.gguf: metadata key 'key': must be a boolean, is an integer");
  EXPECT_EQ(error(std::uint64_t{1}, find_string),
            "fake.gguf: metadata key 'key': must be a string, is an integer");
  EXPECT_EQ(error(std::string("1"), find_integer),
            "fake.gguf: metadata key 'key': must be an integer, is a string");
  EXPECT_EQ(error(std::vector<std::string>{}, find_string),
            "fake.gguf: metadata key 'key': must be a string, is an array of strings");
  EXPECT_EQ(error(std::vector<double>{}, find_number),
            "fake.gguf: metadata key 'key': must be a number, is an array of numbers");
  EXPECT_EQ(error(std::vector<std::int64_t>{}, find_integer),
            "fake.gguf: metadata key 'key': must be an integer, is an array of integers");
  EXPECT_EQ(error(std::vector<bool>{}, find_bool),
            "fake.gguf: metadata key 'key': must be a boolean, is an array of booleans");
}

}  // namespace
}  // namespace parley::inference::formats
