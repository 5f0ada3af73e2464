#include "inference/json/json_numbers.h"

#include <gtest/gtest.h>

namespace parley::inference::json {
namespace {

TEST(JsonNumbersTest, NamesTheKeyOfTheFirstBadNumber) {
  EXPECT_EQ(find_bad_number(R"({"a":1,"top_p":NaN,"b":Infinity})"), "top_p");
  EXPECT_EQ(find_bad_number(R"({"a":{"deep" : -Infinity}})"), "deep");
}

TEST(JsonNumbersTest, HasNoNameForNumbersInArrays) { EXPECT_EQ(find_bad_number(R"({"a":[1, NaN]})"), ""); }

TEST(JsonNumbersTest, IgnoresWordsInsideStrings) {
  EXPECT_EQ(find_bad_number(R"({"a":"NaN","b":"\"NaN","c": tru})"), std::nullopt);
}

TEST(JsonNumbersTest, AcceptsTheLargestNumbersThatFit) {
  EXPECT_EQ(find_bad_number("[18446744073709551615,-9223372036854775808,1.7e308]"), std::nullopt);
  EXPECT_EQ(find_bad_number("[18446744073709551616]"), "");
}

TEST(JsonNumbersTest, SurvivesTextsThatEndAnywhere) {
  const std::string text = R"({"key\"":[-, +, 1e999, "open)";
  for (std::size_t length = 0; length <= text.size(); ++length) find_bad_number(text.substr(0, length));
  EXPECT_EQ(find_bad_number(text), "");
}

TEST(JsonNumbersTest, FindsABadNumberBehindAnOpenString) {
  EXPECT_EQ(find_bad_number(R"({"k":1e999,"open)"), "k");
}

}  // namespace
}  // namespace parley::inference::json
