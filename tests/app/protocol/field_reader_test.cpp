#include "app/protocol/field_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::app::protocol {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::parse_json;

JsonObject object_of(std::string_view text) {
  return std::get<JsonValue>(parse_json(text, {.max_bytes = 4096})).as_object();
}

TEST(FieldReaderTest, ReadsWellFormedFields) {
  const JsonObject object = object_of(R"({"t":"x","i":7,"n":0.5,"f":true,"o":{},"a":[]})");
  FieldReader fields(object);
  EXPECT_EQ(fields.text("t"), "x");
  EXPECT_EQ(fields.integer("i", {.min = 0, .max = 9}), 7);
  EXPECT_EQ(fields.optional_number("n", {.min = 0, .max = 1}), 0.5);
  EXPECT_EQ(fields.optional_flag("f"), true);
  EXPECT_NE(fields.optional_object("o"), nullptr);
  EXPECT_NE(fields.optional_array("a"), nullptr);
  EXPECT_FALSE(fields.error());
}

TEST(FieldReaderTest, TreatsNullAsAbsent) {
  const JsonObject object = object_of(R"({"a":null})");
  FieldReader fields(object);
  EXPECT_TRUE(fields.is_present("a"));
  EXPECT_EQ(fields.optional_text("a"), std::nullopt);
  EXPECT_EQ(fields.optional_integer("a", {}), std::nullopt);
  EXPECT_FALSE(fields.error());
}

TEST(FieldReaderTest, FindsAValueOfAnyType) {
  const JsonObject object = object_of(R"({"a":[1],"b":null})");
  const FieldReader fields(object);
  ASSERT_NE(fields.find("a"), nullptr);
  EXPECT_TRUE(fields.find("a")->is_array());
  EXPECT_EQ(fields.find("b"), nullptr);
  EXPECT_EQ(fields.find("c"), nullptr);
}

TEST(FieldReaderTest, ReadsEachObjectOfAnArrayUpToTheFirstProblem) {
  const JsonObject object = object_of(R"({"a":[{"t":"x"},{"t":"y"},{"t":1},{"t":"z"}],"b":[{"t":"v"},2]})");
  FieldReader fields(object, "q");
  std::string read;
  const auto add = [&](FieldReader& element) { read += element.text("t"); };
  fields.each_object("a", *fields.optional_array("a"), add);
  EXPECT_EQ(read, "xy");
  ASSERT_TRUE(fields.error());
  EXPECT_EQ(fields.error()->field, "q.a[2].t");
  FieldReader others(object);
  others.each_object("b", *others.optional_array("b"), add);
  EXPECT_EQ(read, "xyv");
  ASSERT_TRUE(others.error());
  EXPECT_EQ(others.error()->message, "`b[1]` must be an object.");
}

TEST(FieldReaderTest, RemembersTheFirstProblemAndNamesTheField) {
  const JsonObject object = object_of(R"({"b":1})");
  FieldReader fields(object, "messages[2]");
  EXPECT_EQ(fields.text("a"), "");
  EXPECT_EQ(fields.text("b"), "");
  ASSERT_TRUE(fields.error());
  EXPECT_EQ(fields.error()->field, "messages[2].a");
  EXPECT_EQ(fields.error()->message, "`messages[2].a` is missing.");
}

TEST(FieldReaderTest, RefusesOtherTypes) {
  for (const char* value : {"\"1\"", "[]", "{}", "true", "1.5", "1e30", "-1", "10"}) {
    const JsonObject object = object_of(std::string("{\"i\":") + value + "}");
    FieldReader fields(object);
    fields.integer("i", {.min = 0, .max = 9});
    ASSERT_TRUE(fields.error()) << value;
    EXPECT_EQ(fields.error()->message, "`i` must be a whole number from 0 to 9.") << value;
  }
}

TEST(FieldReaderTest, TakesWholeNumbersWrittenAsFractions) {
  const JsonObject object = object_of(R"({"i":3.0})");
  FieldReader fields(object);
  EXPECT_EQ(fields.integer("i", {.min = 0, .max = 9}), 3);
  EXPECT_FALSE(fields.error());
}

TEST(FieldReaderTest, NeverTruncatesLargeIntegers) {
  const JsonObject object = object_of(R"({"u":18446744073709551615,"d":9223372036854775808})");
  FieldReader u(object);
  u.integer("u", {});
  EXPECT_TRUE(u.error());
  FieldReader d(object);
  d.integer("d", {});
  EXPECT_TRUE(d.error());
}

TEST(FieldReaderTest, RefusesNumbersOutOfRange) {
  for (const char* value : {"2.01", "-0.01", "1e300", "\"1\""}) {
    const JsonObject object = object_of(std::string("{\"t\":") + value + "}");
    FieldReader fields(object);
    EXPECT_EQ(fields.optional_number("t", {.min = 0, .max = 2}), std::nullopt);
    ASSERT_TRUE(fields.error()) << value;
    EXPECT_EQ(fields.error()->message, "`t` must be a number from 0 to 2.");
  }
}

TEST(FieldReaderTest, TakesUuidsInLowerCaseOnly) {
  const JsonObject object = object_of(
      R"({"good":"0123abcd-4567-89ef-0123-456789abcdef","bad":"0123ABCD-4567-89ef-0123-456789abcdef"})");
  FieldReader fields(object);
  EXPECT_EQ(fields.uuid("good"), "0123abcd-4567-89ef-0123-456789abcdef");
  EXPECT_FALSE(fields.error());
  EXPECT_EQ(fields.uuid("bad"), "");
  ASSERT_TRUE(fields.error());
  EXPECT_EQ(fields.error()->message, "`bad` must be a UUID in lower case.");
}

}  // namespace
}  // namespace parley::app::protocol
