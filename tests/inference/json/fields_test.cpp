#include "inference/json/fields.h"

#include <gtest/gtest.h>

namespace parley::inference::json {
namespace {

const JsonObject& strangers_object() {
  static const JsonObject object = {
      {"text", "a"}, {"whole", 3},           {"broken", 1.5},   {"yes", true},
      {"no", false}, {"list", JsonArray{1}}, {"null", nullptr}, {"object", JsonObject{{"x", 1}}}};
  return object;
}

TEST(FieldsTest, AreReadByTheirType) {
  const JsonObject& object = strangers_object();
  EXPECT_EQ(text_field(object, "text"), "a");
  EXPECT_EQ(text_view(object, "text"), "a");
  EXPECT_EQ(number_field(object, "broken"), 1.5);
  EXPECT_EQ(number_field(object, "whole"), 3);
  EXPECT_EQ(integer_field(object, "whole"), 3);
  EXPECT_TRUE(is_true(object, "yes"));
  ASSERT_NE(object_field(object, "object"), nullptr);
  EXPECT_TRUE(object_field(object, "object")->contains("x"));
  ASSERT_NE(array_field(object, "list"), nullptr);
  EXPECT_EQ(array_field(object, "list")->size(), 1u);
}

TEST(FieldsTest, AreEmptyWhereTheyAreMissingOrOfAnotherType) {
  for (const char* key : {"missing", "null", "object"}) {
    const JsonObject& object = strangers_object();
    EXPECT_EQ(text_field(object, key), "") << key;
    EXPECT_FALSE(number_field(object, key)) << key;
    EXPECT_FALSE(integer_field(object, key)) << key;
    EXPECT_FALSE(is_true(object, key)) << key;
    EXPECT_EQ(array_field(object, key), nullptr) << key;
  }
  EXPECT_FALSE(integer_field(strangers_object(), "broken"));
  EXPECT_FALSE(is_true(strangers_object(), "no"));
  EXPECT_EQ(object_field(strangers_object(), "list"), nullptr);
}

}  // namespace
}  // namespace parley::inference::json
