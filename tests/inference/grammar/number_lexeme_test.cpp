#include "inference/grammar/number_lexeme.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace parley::inference::grammar {
namespace {

constexpr auto kInclusive = NumberBound::Kind::inclusive;
constexpr auto kExclusive = NumberBound::Kind::exclusive;

bool admits(const std::shared_ptr<const Lexeme>& lexeme, const std::string& text) {
  return lexeme && matches(*lexeme, text);
}

// In hundredths, so that the comparison is exact.
std::string decimal(int hundredths) {
  std::string digits = std::to_string(std::abs(hundredths) % 100);
  if (digits.size() < 2) digits.insert(0, "0");
  return (hundredths < 0 ? "-" : "") + std::to_string(std::abs(hundredths) / 100) + "." + digits;
}

bool is_within(int value, int min, NumberBound::Kind min_kind, int max, NumberBound::Kind max_kind) {
  return (min_kind == kInclusive ? value >= min : value > min) &&
         (max_kind == kInclusive ? value <= max : value < max);
}

TEST(NumberLexeme, integers_are_compared_like_integers) {
  const std::vector<int> bounds{-1000, -101, -100, -99, -10, -7, -1, 0, 1, 5, 9, 10, 11, 99, 100, 255};
  for (const int min : bounds) {
    for (const int max : bounds) {
      for (const auto kind : {kInclusive, kExclusive}) {
        const auto lexeme = make_number_lexeme({NumberRange::Kind::integer,
                                                NumberBound{parse_decimal(std::to_string(min)), kind},
                                                NumberBound{parse_decimal(std::to_string(max)), kind}});
        for (int value = -1010; value <= 300; ++value) {
          ASSERT_EQ(admits(lexeme, std::to_string(value)), is_within(value, min, kind, max, kind))
              << value << " in " << min << " to " << max;
        }
      }
    }
  }
}

TEST(NumberLexeme, fractions_are_compared_exactly) {
  const std::vector<int> bounds{-1050, -125, -100, -5, 0, 1, 50, 99, 100, 105, 999, 1200};
  for (const int min : bounds) {
    for (const int max : bounds) {
      const auto lexeme =
          make_number_lexeme({NumberRange::Kind::number, NumberBound{parse_decimal(decimal(min)), kInclusive},
                              NumberBound{parse_decimal(decimal(max)), kExclusive}});
      for (int value = -1300; value <= 1300; ++value) {
        if (value == 0) continue;
        ASSERT_EQ(admits(lexeme, decimal(value)), is_within(value, min, kInclusive, max, kExclusive))
            << decimal(value) << " in " << decimal(min) << " to " << decimal(max);
      }
    }
  }
}

TEST(NumberLexeme, one_side_may_be_open) {
  const auto positive =
      make_number_lexeme({NumberRange::Kind::number, NumberBound{parse_decimal("0"), kExclusive}, {}});
  EXPECT_TRUE(admits(positive, "0.001"));
  EXPECT_TRUE(admits(positive, "123456789012345678"));
  EXPECT_FALSE(admits(positive, "0.000"));
  EXPECT_FALSE(admits(positive, "0"));
  EXPECT_FALSE(admits(positive, "-1"));
  const auto small =
      make_number_lexeme({NumberRange::Kind::integer, {}, NumberBound{parse_decimal("-3"), kInclusive}});
  EXPECT_TRUE(admits(small, "-30"));
  EXPECT_FALSE(admits(small, "-2"));
  EXPECT_FALSE(admits(small, "3"));
}

TEST(NumberLexeme, unbounded_numbers_are_json_that_can_be_read_back) {
  const auto any = make_number_lexeme({});
  for (const char* good : {"0", "-0", "10", "-1.5", "1e5", "1E+05", "0.5e-10", "123456789012345678"}) {
    EXPECT_TRUE(admits(any, good)) << good;
  }
  for (const char* bad :
       {"", "-", "01", "1.", ".5", "+1", "1e", "1e100", "1e+", "0x1", "1234567890123456789", " 1"}) {
    EXPECT_FALSE(admits(any, bad)) << bad;
  }
}

TEST(NumberLexeme, an_empty_range_has_none) {
  const NumberBound one{parse_decimal("1"), kExclusive};
  const NumberBound two{parse_decimal("2"), kExclusive};
  EXPECT_EQ(make_number_lexeme({NumberRange::Kind::integer, one, two}), nullptr);
  EXPECT_NE(make_number_lexeme({NumberRange::Kind::number, one, two}), nullptr);
}

TEST(Decimal, is_compared_by_value) {
  EXPECT_EQ(compare(parse_decimal("-0.00"), parse_decimal("0")), 0);
  EXPECT_EQ(compare(parse_decimal("007.50"), parse_decimal("7.5")), 0);
  EXPECT_LT(compare(parse_decimal("-10"), parse_decimal("-9.9")), 0);
  EXPECT_GT(compare(parse_decimal("10"), parse_decimal("9.99")), 0);
  EXPECT_LT(compare(parse_decimal("0.09"), parse_decimal("0.1")), 0);
}

}  // namespace
}  // namespace parley::inference::grammar
