#include "inference/json_schema/equality.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

bool equal(std::string_view a, std::string_view b) {
  Budget budget(10'000);
  const bool result = are_equal(value_of(a), value_of(b), budget);
  EXPECT_FALSE(budget.exhausted());
  return result;
}

TEST(EqualityTest, ComparesByValue) {
  EXPECT_TRUE(equal("1", "1.0"));
  EXPECT_TRUE(equal(R"({"a": 1, "b": [2, {}]})", R"({"b": [2.0, {}], "a": 1})"));
  EXPECT_TRUE(equal("\"\\u00e9\"", "\"\xC3\xA9\""));
  EXPECT_FALSE(equal("\"e\\u0301\"", "\"\\u00e9\""));  // not normalised
  EXPECT_FALSE(equal("0", "false"));
  EXPECT_FALSE(equal("\"\"", "null"));
  EXPECT_FALSE(equal("[]", "{}"));
  EXPECT_FALSE(equal("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(equal(R"({"a": 1})", R"({"a": 1, "b": 1})"));
  EXPECT_FALSE(equal(R"({"a": 1, "c": 1})", R"({"a": 1, "b": 1})"));
}

TEST(EqualityTest, FindsTwinsAmongMany) {
  json::JsonArray array;
  for (int i = 0; i < 20'000; ++i) array.push_back(json::JsonObject{{"n", i}});
  Budget budget(200'000);
  EXPECT_FALSE(find_equal_pair(array, budget));
  array.push_back(json::JsonObject{{"n", 12345.0}});
  const auto twins = find_equal_pair(array, budget);
  ASSERT_TRUE(twins);
  EXPECT_EQ(twins->first, 12345U);
  EXPECT_EQ(twins->second, 20'000U);
  EXPECT_FALSE(budget.exhausted());
}

// What differs only far inside all falls into one heap; the budget ends that.
TEST(EqualityTest, CollisionsEndWithTheBudget) {
  json::JsonArray array;
  for (int i = 0; i < 3000; ++i) {
    json::JsonValue value = i;
    for (int depth = 0; depth < 20; ++depth) value = json::JsonArray{value};
    array.push_back(value);
  }
  Budget budget(100'000);
  EXPECT_FALSE(find_equal_pair(array, budget));
  EXPECT_TRUE(budget.exhausted());
}

TEST(EqualityTest, DepthEndsWithTheBudgetToo) {
  json::JsonValue deep = nullptr;
  for (int i = 0; i < 5000; ++i) deep = json::JsonArray{std::move(deep)};
  Budget budget(1'000'000);
  EXPECT_FALSE(are_equal(deep, deep, budget));
  EXPECT_TRUE(budget.exhausted());
}

}  // namespace
}  // namespace parley::inference::json_schema
