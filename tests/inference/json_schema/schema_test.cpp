#include "inference/json_schema/schema.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

constexpr std::string_view kWeather = R"({
  "type": "object",
  "properties": {
    "city": {"type": "string", "minLength": 1},
    "count": {"type": "integer", "minimum": 1},
    "unit": {"enum": ["celsius", "fahrenheit"]}
  },
  "required": ["city"],
  "additionalProperties": false
})";

TEST(SchemaTest, SaysWhatIsWrongWithArguments) {
  EXPECT_TRUE(accepts(kWeather, R"({"city": "Bern", "count": 2, "unit": "celsius"})"));
  EXPECT_EQ(complaint(kWeather, R"({"count": 2})"), "`city`: is required");
  EXPECT_EQ(complaint(kWeather, R"({"city": "Bern", "count": 3.5})"), "`count`: 3.5 is not an integer");
  EXPECT_EQ(complaint(kWeather, R"({"city": "Bern", "unit": "kelvin"})"),
            "`unit`: must be \"celsius\" or \"fahrenheit\", not \"kelvin\"");
  EXPECT_EQ(complaint(kWeather, R"({"city": "Bern", "town": 1})"),
            "`town`: is not a known property; known are city, count and unit");
  EXPECT_EQ(complaint(kWeather, "[]"), "an array is not an object");
}

TEST(SchemaTest, SaysAllThatIsWrongUpToALimit) {
  const auto all = complaints(kWeather, R"({"count": 0, "unit": 3})");
  EXPECT_EQ(all.size(), 3U);
  EXPECT_EQ(complaints(kWeather, R"({"count": 0, "unit": 3})", {.max_violations = 2}).size(), 2U);
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += "1,";
  EXPECT_EQ(complaints(R"({"items": {"type": "string"}})", many + "1]").size(),
            SchemaOptions{}.max_violations);
}

TEST(SchemaTest, PointsAtThePlace) {
  const Schema schema =
      compiled(R"({"items": {"properties": {"a/b~c": {"type": "null"}}, "required": ["x"]}})");
  const auto violations = schema.validate(value_of(R"([{"x": 1}, {"a/b~c": 1}])"));
  ASSERT_EQ(violations.size(), 2U);
  EXPECT_EQ(violations[0].place, "/1/x");
  EXPECT_EQ(violations[0].keyword, "required");
  EXPECT_EQ(violations[1].place, "/1/a~1b~0c");
  EXPECT_EQ(violations[1].keyword, "type");
}

TEST(SchemaTest, TheDraftDecidesWhatAKeywordMeans) {
  constexpr std::string_view kSeven = R"("$schema": "http://json-schema.org/draft-07/schema#")";
  const std::string list = R"("items": [{"type": "null"}], "additionalItems": false)";
  EXPECT_FALSE(accepts("{" + std::string(kSeven) + "," + list + "}", "[null, 1]"));
  EXPECT_NE(refusal("{" + list + "}").find("`prefixItems`"), std::string::npos);
  // Beside $ref nothing counts in draft-07.
  const std::string both = R"("$ref": "#/definitions/a", "type": "null", "definitions": {"a": {}})";
  EXPECT_TRUE(accepts("{" + std::string(kSeven) + "," + both + "}", "1"));
  EXPECT_FALSE(accepts("{" + both + "}", "1"));
  EXPECT_TRUE(accepts(R"({"$schema": "http://json-schema.org/draft-06/schema", "const": 1})", "1"));
  EXPECT_TRUE(
      accepts(R"({"$schema": "https://json-schema.org/draft-07/schema", "dependentRequired": 5})", "1"));
}

TEST(SchemaTest, RefusesADraftItDoesNotKnow) {
  for (const char* draft :
       {"http://json-schema.org/draft-04/schema#", "http://example.com/own", "", "draft-07"}) {
    const auto error = error_of(value_of(R"({"$schema": ")" + std::string(draft) + "\"}"));
    EXPECT_NE(error.message.find("is not known here"), std::string::npos) << error.message;
  }
  EXPECT_NE(refusal(R"({"$schema": 7})").find("is not known here"), std::string::npos);
}

TEST(SchemaTest, WhatIsNoSchemaIsRefused) {
  EXPECT_EQ(refusal("3"), "A schema must be an object, true or false, not 3.");
  EXPECT_EQ(refusal(R"({"properties": {"a": {"items": "x"}}})"),
            "at `properties.a.items`: A schema must be an object, true or false, not \"x\".");
}

TEST(SchemaTest, FormatsAreEnforcedOnRequestOnly) {
  EXPECT_TRUE(accepts(R"({"format": "date"})", R"("tomorrow")"));
  EXPECT_EQ(complaint(R"({"format": "date"})", R"("tomorrow")", {.formats = FormatRule::enforce}),
            "\"tomorrow\" is not a date such as 2024-05-31");
  EXPECT_TRUE(accepts(R"({"format": "no-such-format"})", R"("x")", {.formats = FormatRule::enforce}));
}

TEST(SchemaTest, OutlivesItsDocument) {
  auto document =
      std::make_unique<json::JsonValue>(value_of(R"({"enum": ["a", {"b": [1]}], "$ref": "#/$defs/x",
      "$defs": {"x": {"const": {"b": [1]}}}})"));
  const Schema schema = schema_of(*document);
  document.reset();
  EXPECT_TRUE(schema.validate(value_of(R"({"b": [1.0]})")).empty());
  EXPECT_EQ(schema.validate("a").size(), 1U);
}

}  // namespace
}  // namespace parley::inference::json_schema
