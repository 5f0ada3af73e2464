#include "inference/model/metadata_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "tests/fakes/fake_gguf_file.h"
#include "tests/fakes/message_of.h"

namespace parley::inference::model {
namespace {

using tests::fakes::message_of;

class MetadataReaderTest : public testing::Test {
 protected:
  std::string integer_error(Range<int> range) {
    return message_of([&] { reader_.integer("key", range); });
  }
  std::string number_error(Range<double> range) {
    return message_of([&] { reader_.number("key", range); });
  }

  tests::fakes::FakeGgufFile file_;
  const MetadataReader reader_{file_, "llama"};
};

TEST_F(MetadataReaderTest, reads_keys_of_its_family_only) {
  file_.set("key", std::int64_t{1});
  file_.set("qwen2.key", std::int64_t{2});
  file_.set("llama.key", std::int64_t{3});
  EXPECT_EQ(reader_.name("key"), "llama.key");
  EXPECT_EQ(reader_.integer("key", {0, 10}), 3);
}

TEST_F(MetadataReaderTest, both_ends_of_a_range_belong_to_it) {
  for (const int value : {-4, 9}) {
    file_.set("llama.key", std::int64_t{value});
    EXPECT_EQ(reader_.integer("key", {-4, 9}), value);
    EXPECT_EQ(reader_.number("key", {-4, 9}), value);
  }
  for (const int value : {-5, 10}) {
    file_.set("llama.key", std::int64_t{value});
    const std::string expected =
        "fake.gguf: metadata key 'llama.key': is " + std::to_string(value) + ", must be from -4 to 9";
    EXPECT_EQ(integer_error({-4, 9}), expected);
    EXPECT_EQ(number_error({-4, 9}), expected);
  }
}

// What a cast to int would fold into the range.
TEST_F(MetadataReaderTest, integers_beyond_32_bits_are_out_of_range_not_wrapped) {
  for (const std::int64_t value : {(std::int64_t{1} << 32) + 5, -(std::int64_t{1} << 32) + 5,
                                   std::numeric_limits<std::int64_t>::max()}) {
    file_.set("llama.key", value);
    EXPECT_EQ(integer_error({1, 10}),
              "fake.gguf: metadata key 'llama.key': is " + std::to_string(value) + ", must be from 1 to 10");
  }
  file_.set("llama.key", std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(integer_error({1, 10}),
            "fake.gguf: metadata key 'llama.key': 18446744073709551615 is out of range");
}

TEST_F(MetadataReaderTest, numbers_may_be_of_any_numeric_kind_but_finite) {
  file_.set("llama.key", 0.25);
  EXPECT_EQ(reader_.number("key", {0, 1}), 0.25);
  file_.set("llama.key", std::uint64_t{1});
  EXPECT_EQ(reader_.number("key", {0, 1}), 1.0);
  file_.set("llama.key", std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(number_error({0, 1}), "fake.gguf: metadata key 'llama.key': is not a finite number");
}

TEST_F(MetadataReaderTest, an_absent_key_is_an_error_or_the_fallback) {
  EXPECT_EQ(integer_error({0, 1}), "fake.gguf: metadata key 'llama.key': is missing");
  EXPECT_EQ(number_error({0, 1}), "fake.gguf: metadata key 'llama.key': is missing");
  EXPECT_EQ(reader_.integer_or("key", 77, {0, 1}), 77) << "a fallback may lie outside of the range";
  EXPECT_EQ(reader_.number_or("key", -0.5, {0, 1}), -0.5);
}

TEST_F(MetadataReaderTest, a_fallback_hides_no_bad_value) {
  file_.set("llama.key", std::int64_t{2});
  EXPECT_EQ(message_of([&] {
              reader_.integer_or("key", 0, {0, 1});
            }),
            "fake.gguf: metadata key 'llama.key': is 2, must be from 0 to 1");
  EXPECT_EQ(message_of([&] {
              reader_.number_or("key", 0, {0, 1});
            }),
            "fake.gguf: metadata key 'llama.key': is 2, must be from 0 to 1");
  file_.set("llama.key", std::string("one"));
  EXPECT_EQ(message_of([&] {
              reader_.integer_or("key", 0, {0, 1});
            }),
            "fake.gguf: metadata key 'llama.key': must be an integer, is a string");
}

TEST_F(MetadataReaderTest, failures_name_file_and_key) {
  EXPECT_EQ(message_of([&] { reader_.fail("a.b", "is odd"); }),
            "fake.gguf: metadata key 'llama.a.b': is odd");
}

}  // namespace
}  // namespace parley::inference::model
