// What each keyword says, family by family. (That it decides rightly is the official suite's and the
// reference's matter.)
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

using Texts = std::vector<std::string>;

TEST(ValueKeywordsTest, SayWhatAValueIsNot) {
  EXPECT_EQ(complaint(R"({"type": "string"})", "3"), "3 is not a string");
  EXPECT_EQ(complaint(R"({"type": ["string", "null"]})", "{}"), "an object is not a string or null");
  EXPECT_EQ(complaint(R"({"type": ["array", "object", "boolean"]})", "\"x\""),
            "\"x\" is not an array, an object or true or false");
  EXPECT_EQ(complaint(R"({"enum": [1, "a", null, [1]]})", "2"), "must be 1, \"a\", null or an array, not 2");
  EXPECT_EQ(complaint(R"({"enum": []})", "2"), "must be one of no values, not 2");
  EXPECT_EQ(complaint(R"({"enum": [1,2,3,4,5,6,7,8,9,10,11,12]})", "0"),
            "must be 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, \xE2\x80\xA6, not 0");
  EXPECT_EQ(complaint(R"({"const": "circle"})", "\"square\""), "must be \"circle\", not \"square\"");
  EXPECT_EQ(complaint(R"({"const": [1]})", "[2]"), "is not the one value that is allowed");
}

TEST(NumberKeywordsTest, SayTheLimit) {
  EXPECT_EQ(complaint(R"({"minimum": 1})", "0"), "must be at least 1, not 0");
  EXPECT_EQ(complaint(R"({"maximum": 1.5})", "2"), "must be at most 1.5, not 2");
  EXPECT_EQ(complaint(R"({"exclusiveMinimum": 1})", "1"), "must be more than 1, not 1");
  EXPECT_EQ(complaint(R"({"exclusiveMaximum": 1})", "1.0"), "must be less than 1, not 1");
  EXPECT_EQ(complaint(R"({"multipleOf": 0.5})", "0.7"), "must be a multiple of 0.5, not 0.7");
  EXPECT_TRUE(accepts(R"({"minimum": 1, "multipleOf": 2})", "\"x\""));
}

TEST(StringKeywordsTest, SayLengthAndPattern) {
  EXPECT_EQ(complaint(R"({"minLength": 1})", "\"\""), "must have at least 1 character, has 0");
  EXPECT_EQ(complaint(R"({"maxLength": 2})", "\"\u00e9\u00e9\u00e9\""),
            "must have at most 2 characters, has 3");
  EXPECT_TRUE(accepts(R"({"maxLength": 1, "minLength": 1})", "\"\xF0\x9F\x98\x80\""));
  EXPECT_EQ(complaint(R"({"pattern": "^[a-z]+$"})", "\"A\""), "\"A\" does not match the pattern ^[a-z]+$");
}

TEST(ArrayKeywordsTest, SayCountsAndIndexes) {
  EXPECT_EQ(complaint(R"({"minItems": 2})", "[1]"), "must have at least 2 items, has 1");
  EXPECT_EQ(complaint(R"({"maxItems": 1})", "[1, 2]"), "must have at most 1 item, has 2");
  EXPECT_EQ(complaint(R"({"uniqueItems": true})", "[1, 2, 1]"),
            "must not hold equal items; items 0 and 2 are equal");
  EXPECT_EQ(complaint(R"({"prefixItems": [{}], "items": false})", "[1, 2, 3]"),
            "must have at most 1 item, has 3");
  EXPECT_EQ(complaint(R"({"prefixItems": [{"type": "null"}], "items": {"type": "string"}})", "[null, 1]"),
            "`[1]`: 1 is not a string");
  EXPECT_EQ(complaint(R"({"contains": {"type": "null"}, "minContains": 2})", "[null]"),
            "must have at least 2 items of the kind that `contains` describes, has 1");
  EXPECT_EQ(complaint(R"({"contains": true, "maxContains": 1})", "[1, 2]"),
            "must have at most 1 item of the kind that `contains` describes, has 2");
  EXPECT_EQ(complaint(R"({"prefixItems": [{}], "unevaluatedItems": false})", "[1, 2]"),
            "`[1]`: is not allowed");
}

TEST(ObjectKeywordsTest, SayWhichMember) {
  EXPECT_EQ(complaints(R"({"required": ["a", "b"]})", "{}"), (Texts{"`a`: is required", "`b`: is required"}));
  EXPECT_EQ(complaint(R"({"minProperties": 1})", "{}"), "must have at least 1 property, has 0");
  EXPECT_EQ(complaint(R"({"maxProperties": 0})", R"({"a": 1})"), "must have at most 0 properties, has 1");
  EXPECT_EQ(complaint(R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})"),
            "`b`: is required beside `a`");
  EXPECT_EQ(complaint(R"({"dependentSchemas": {"a": {"required": ["b"]}}})", R"({"a": 1})"),
            "`b`: is required");
  EXPECT_EQ(complaints(R"({"dependencies": {"a": ["b"], "c": {"maxProperties": 1}}})", R"({"a": 1, "c": 1})"),
            (Texts{"`b`: is required beside `a`", "must have at most 1 property, has 2"}));
}

TEST(PropertyKeywordsTest, SayWhichNamesThereAre) {
  EXPECT_EQ(complaint(R"({"additionalProperties": false})", R"({"a": 1})"), "`a`: is not a known property");
  EXPECT_EQ(
      complaint(R"({"properties": {"b": {}}, "additionalProperties": {"type": "null"}})", R"({"a": 1})"),
      "`a`: 1 is not null");
  EXPECT_EQ(complaint(R"({"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": false})",
                      R"({"x1": null, "y": 1})"),
            "`y`: is not a known property");
  EXPECT_EQ(complaint(R"({"properties": {"a": false}})", R"({"a": 1})"), "`a`: is not allowed");
  EXPECT_EQ(complaint(R"({"propertyNames": {"pattern": "^[a-z]+$"}})", R"({"A": 1})"),
            "`A`: is not an allowed name: \"A\" does not match the pattern ^[a-z]+$");
  EXPECT_EQ(complaint(R"({"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false})",
                      R"({"a": 1, "b": 2})"),
            "`b`: is not a known property");
}

// What else is wrong hides from `unevaluatedProperties` what would have been evaluated: it says nothing then.
TEST(PropertyKeywordsTest, UnevaluatedIsNoNewsBesideARealFault) {
  EXPECT_EQ(
      complaints(R"({"allOf": [{"properties": {"a": {"type": "null"}}}], "unevaluatedProperties": false})",
                 R"({"a": 1})"),
      (Texts{"`a`: 1 is not null"}));
}

TEST(CombiningKeywordsTest, SayWhatTheFailedSchemaSays) {
  EXPECT_EQ(complaints(R"({"allOf": [{"type": "string"}, {"maximum": 1}]})", "2"),
            (Texts{"2 is not a string", "must be at most 1, not 2"}));
  EXPECT_EQ(complaint(R"({"not": {"type": "string"}})", "\"a\""),
            "must not be valid against {\"type\":\"string\"}");
  EXPECT_EQ(complaint(R"({"if": {"type": "string"}, "then": {"minLength": 2}})", "\"a\""),
            "must have at least 2 characters, has 1");
  EXPECT_EQ(complaint(R"({"if": {"type": "string"}, "else": {"minimum": 2}})", "1"),
            "must be at least 2, not 1");
  EXPECT_EQ(complaint(R"({"oneOf": [{"minimum": 1}, {"minimum": 2}]})", "3"),
            "is of more than one of the forms of which it must be exactly one");
}

TEST(ReferenceKeywordsTest, SayWhatTheTargetSays) {
  EXPECT_EQ(complaint(R"({"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "null"}}})",
                      R"({"a": 1})"),
            "`a`: 1 is not null");
  EXPECT_EQ(
      complaint(R"({"properties": {"a": {"$ref": "#n"}}, "$defs": {"n": {"$anchor": "n", "type": "null"}}})",
                R"({"a": 1})"),
      "`a`: 1 is not null");
  EXPECT_NE(refusal(R"({"$ref": "#/$defs/n"})").find("leads nowhere"), std::string::npos);
  EXPECT_NE(refusal(R"({"$ref": "#n"})").find("no such anchor"), std::string::npos);
  EXPECT_NE(refusal(R"({"$ref": "#/a", "a": 5})").find("must be an object, true or false"),
            std::string::npos);
  EXPECT_EQ(refusal(R"({"$ref": 5})"), "`$ref` must be a string, not 5.");
  EXPECT_NE(refusal(R"({"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": "#a"})")
                .find("must be \"#\""),
            std::string::npos);
}

// The forms of a value: the complaint is that of the form that was meant.
TEST(ClosestBranchTest, TheOnlyFormOfTheRightKindIsMeant) {
  constexpr std::string_view kTextOrObject = R"({"anyOf": [{"type": "string"},
      {"type": "object", "required": ["a"]}]})";
  EXPECT_EQ(complaint(kTextOrObject, "{}"), "`a`: is required");
  EXPECT_EQ(complaint(kTextOrObject, "1"),
            "is of none of the allowed forms: 1 is not a string and 1 is not an object");
}

TEST(ClosestBranchTest, AMemberThatNamesTheFormDecides) {
  constexpr std::string_view kShapes = R"({"oneOf": [
      {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
      {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}]})";
  EXPECT_EQ(complaint(kShapes, R"({"kind": "square"})"), "`side`: is required");
  EXPECT_EQ(complaint(kShapes, R"({"kind": "circle", "radius": "x"})"), "`radius`: \"x\" is not a number");
  EXPECT_EQ(complaint(kShapes, "{}"), "is of none of the allowed forms: `kind` is required");
}

TEST(ClosestBranchTest, SpeaksInsideOtherForms) {
  constexpr std::string_view kNested = R"({"properties": {"v": {"anyOf": [{"type": "null"},
      {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}]}}})";
  EXPECT_EQ(complaint(kNested, R"({"v": [1, "x"]})"),
            "`v[1]`: is of none of the allowed forms: \"x\" is not an integer and \"x\" is not null");
}

}  // namespace
}  // namespace parley::inference::json_schema
