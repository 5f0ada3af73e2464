#include "inference/json_schema/exact_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

constexpr std::uint64_t kTwoTo53 = 1ULL << 53;

TEST(ExactNumberTest, NoRoundingMakesDifferentNumbersEqual) {
  // As doubles each of these pairs would be equal.
  EXPECT_NE(exact_number(kTwoTo53 + 1), exact_number(static_cast<double>(kTwoTo53)));
  EXPECT_NE(exact_number(std::int64_t{-9007199254740993}), exact_number(-9007199254740992.0));
  EXPECT_NE(exact_number(std::numeric_limits<std::uint64_t>::max()), exact_number(18446744073709551616.0));
  EXPECT_NE(exact_number(std::numeric_limits<std::int64_t>::max()), exact_number(9223372036854775808.0));
  EXPECT_LT(exact_number(std::numeric_limits<std::uint64_t>::max()), exact_number(18446744073709551616.0));
  EXPECT_GT(exact_number(std::uint64_t{1} << 63), exact_number(std::int64_t{-1}));
  EXPECT_EQ(exact_number(std::uint64_t{1} << 63), exact_number(9223372036854775808.0));
  EXPECT_EQ(exact_number(-0.0), exact_number(std::int64_t{0}));
}

TEST(ExactNumberTest, TheLimitsOfASchemaUseIt) {
  EXPECT_FALSE(accepts(R"({"const": 9007199254740993})", "9007199254740992.0"));
  EXPECT_FALSE(accepts(R"({"maximum": 9007199254740992.0})", "9007199254740993"));
  EXPECT_FALSE(accepts(R"({"exclusiveMinimum": 18446744073709551614})", "18446744073709551614"));
  EXPECT_TRUE(accepts(R"({"exclusiveMinimum": 18446744073709551614})", "18446744073709551615"));
  EXPECT_TRUE(accepts(R"({"uniqueItems": true})", "[9007199254740993, 9007199254740992.0]"));
  EXPECT_FALSE(accepts(R"({"uniqueItems": true})", "[1, 1.0]"));
}

TEST(ExactNumberTest, IntegersHaveNoFraction) {
  for (const char* text :
       {"0", "-0.0", "1.0", "1e3", "1e308", "18446744073709551615", "-9223372036854775808"}) {
    EXPECT_TRUE(is_integer(value_of(text))) << text;
  }
  for (const char* text : {"0.5", "1e-5", "\"1\"", "null", "true", "[1]", "4.9406564584124654e-324"}) {
    EXPECT_FALSE(is_integer(value_of(text))) << text;
  }
  EXPECT_FALSE(is_integer(JsonValue(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(is_integer(JsonValue(std::numeric_limits<double>::quiet_NaN())));
}

TEST(ExactNumberTest, MultiplesAreDecimal) {
  const auto multiple = [](const char* value, const char* divisor) {
    return is_multiple(value_of(value), value_of(divisor));
  };
  EXPECT_TRUE(multiple("19.99", "0.01"));
  EXPECT_TRUE(multiple("0.3", "0.1"));
  EXPECT_TRUE(multiple("-4.5", "1.5"));
  EXPECT_TRUE(multiple("0", "7"));
  EXPECT_TRUE(multiple("0.0075", "0.0001"));
  EXPECT_TRUE(multiple("12391239123", "1e-8"));
  EXPECT_TRUE(multiple("1e308", "0.5"));
  EXPECT_TRUE(multiple("1e308", "1e-308"));
  EXPECT_TRUE(multiple("18446744073709551615", "5"));
  EXPECT_TRUE(multiple("-9223372036854775808", "2"));
  EXPECT_FALSE(multiple("18446744073709551615", "2"));
  EXPECT_FALSE(multiple("0.00751", "0.0001"));
  EXPECT_FALSE(multiple("1e308", "0.123456789"));
  EXPECT_FALSE(multiple("1", "1e308"));
  EXPECT_FALSE(multiple("10", "0.3"));
  EXPECT_FALSE(multiple("5e-324", "1"));
  EXPECT_TRUE(multiple("5e-324", "5e-324"));
  EXPECT_FALSE(is_multiple(JsonValue(std::numeric_limits<double>::infinity()), JsonValue(1)));
}

// Every small decimal against integer arithmetic.
TEST(ExactNumberTest, MultiplesAgreeWithIntegerArithmetic) {
  for (int value = -300; value <= 300; ++value) {
    for (int divisor = 1; divisor <= 40; ++divisor) {
      const JsonValue hundredths(static_cast<double>(value) / 100);
      ASSERT_EQ(is_multiple(hundredths, JsonValue(static_cast<double>(divisor) / 100)), value % divisor == 0)
          << value << " " << divisor;
      ASSERT_EQ(is_multiple(JsonValue(value), JsonValue(divisor)), value % divisor == 0);
    }
  }
}

}  // namespace
}  // namespace parley::inference::json_schema
