#include "inference/json_schema/json_pointer.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

// RFC 6901, section 5.
TEST(JsonPointerTest, FollowsTheExamplesOfTheStandard) {
  const json::JsonValue document = value_of(R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3,
      "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8})");
  constexpr std::pair<std::string_view, std::string_view> kExamples[] = {
      {"/foo/0", "\"bar\""}, {"/", "0"},     {"/a~1b", "1"}, {"/c%d", "2"}, {"/e^f", "3"},
      {"/g|h", "4"},         {"/i\\j", "5"}, {"/k\"l", "6"}, {"/ ", "7"},   {"/m~0n", "8"},
  };
  for (const auto& [pointer, expected] : kExamples) {
    const json::JsonValue* value = &document;
    const auto steps = pointer_steps(pointer);
    ASSERT_TRUE(steps) << pointer;
    for (const std::string& step : *steps) value = value ? step_into(*value, step) : nullptr;
    ASSERT_TRUE(value) << pointer;
    EXPECT_EQ(*value, value_of(expected)) << pointer;
  }
}

TEST(JsonPointerTest, RefusesWhatIsNoPointer) {
  for (const char* text : {"a", "~", "/~", "/~2", "/a~", " /a"}) EXPECT_FALSE(pointer_steps(text)) << text;
  EXPECT_TRUE(pointer_steps("")->empty());
  EXPECT_EQ(pointer_steps("//")->size(), 2U);
}

TEST(JsonPointerTest, IndexesAreWrittenOneWayOnly) {
  const json::JsonValue array = value_of("[1, 2]");
  EXPECT_TRUE(step_into(array, "1"));
  for (const char* step : {"", "2", "01", "-1", "+1", "1x", "-", "18446744073709551617"}) {
    EXPECT_FALSE(step_into(array, step)) << step;
  }
  EXPECT_FALSE(step_into(value_of("3"), "0"));
}

TEST(JsonPointerTest, EscapesBackAndForth) {
  std::string pointer;
  for (const char* key : {"a/b", "m~n", "~1", ""}) append_pointer_step(pointer, key);
  EXPECT_EQ(pointer, "/a~1b/m~0n/~01/");
  EXPECT_EQ(*pointer_steps(pointer), (std::vector<std::string>{"a/b", "m~n", "~1", ""}));
}

}  // namespace
}  // namespace parley::inference::json_schema
