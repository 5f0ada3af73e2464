#include "orchestration/calls/tool_schemas.h"

#include <gtest/gtest.h>

#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {
namespace {

TypeSet types_of(std::string_view schema) {
  const ToolSchemas schemas({offered("t", "{\"properties\": {\"a\": " + std::string(schema) + "}}")});
  return schemas.types_of("t", "a");
}

TEST(ToolSchemas, ReadTypes) {
  EXPECT_EQ(types_of(R"({"type": "string"})"), TypeSet::string);
  EXPECT_EQ(types_of(R"({"type": "integer"})"), TypeSet::integer);
  EXPECT_EQ(types_of(R"({"type": "number"})"), TypeSet::number | TypeSet::integer);
  EXPECT_EQ(types_of(R"({"type": ["string", "null"]})"), TypeSet::string | TypeSet::null);
  EXPECT_EQ(types_of(R"({"enum": ["a", 1]})"), TypeSet::string | TypeSet::number | TypeSet::integer);
  EXPECT_EQ(types_of(R"({"const": true})"), TypeSet::boolean);
  EXPECT_EQ(types_of(R"({"anyOf": [{"type": "array"}, {"oneOf": [{"type": "object"}]}]})"),
            TypeSet::array | TypeSet::object);
}

TEST(ToolSchemas, FollowReferencesAndWhatAllMustHold) {
  const auto types = [](std::string_view schema) {
    return ToolSchemas({offered("t",
                                "{\"$defs\": {\"s\": {\"type\": \"string\"}, \"loop\": {\"$ref\": "
                                "\"#/$defs/loop\"}}, \"properties\": {\"a\": " +
                                    std::string(schema) + "}}")})
        .types_of("t", "a");
  };
  EXPECT_EQ(types(R"({"$ref": "#/$defs/s"})"), TypeSet::string);
  EXPECT_EQ(types(R"({"anyOf": [{"$ref": "#/$defs/s"}, {"type": "null"}]})"),
            TypeSet::string | TypeSet::null);
  EXPECT_EQ(types(R"({"allOf": [{"type": ["string", "integer"]}, {"$ref": "#/$defs/s"}]})"), TypeSet::string);
  EXPECT_EQ(types(R"({"$ref": "#/$defs/loop"})"), TypeSet::any);
  EXPECT_EQ(types(R"({"$ref": "#/$defs/s/type/x"})"), TypeSet::any);
  EXPECT_EQ(types(R"({"$ref": "http://a.example/s"})"), TypeSet::any);
}

TEST(ToolSchemas, TakeWhatTheyDoNotUnderstandForAnyType) {
  for (const char* schema : {"{}", "true", "5", R"({"$ref": "#/$defs/x"})", R"({"type": "dict"})",
                             R"({"type": 5})", R"({"type": []})", R"({"anyOf": []})", R"({"anyOf": 1})"}) {
    EXPECT_EQ(types_of(schema), TypeSet::any) << schema;
  }
  std::string deep = R"({"type": "string"})";
  for (int i = 0; i < 30; ++i) deep = R"({"anyOf": [)" + deep + "]}";
  EXPECT_EQ(types_of(deep), TypeSet::any);
}

TEST(ToolSchemas, TakeArgumentsThatAreNotNamedForStrings) {
  const ToolSchemas schemas(sample_tools());
  EXPECT_EQ(schemas.types_of("get_weather", "nope"), TypeSet::string);
  EXPECT_EQ(schemas.types_of("nope", "city"), TypeSet::string);
  EXPECT_EQ(schemas.argument_at("get_weather", 1), "days");
  EXPECT_EQ(schemas.argument_at("get_weather", 99), std::nullopt);
  EXPECT_EQ(schemas.argument_at("nope", 0), std::nullopt);
}

TEST(ToolSchemas, TypeRawValues) {
  const struct {
    const char* raw;
    TypeSet types;
    const char* json;
  } cases[] = {
      {"null", TypeSet::null | TypeSet::string, "null"},
      {"null", TypeSet::string, "\"null\""},
      {"5", TypeSet::integer, "5"},
      {" 5\n", TypeSet::integer, "5"},
      {"5", TypeSet::string, "\"5\""},
      {"5", TypeSet::integer | TypeSet::string, "5"},
      {"5.5", TypeSet::integer | TypeSet::string, "\"5.5\""},
      {"5.5", TypeSet::number | TypeSet::integer, "5.5"},
      {"1e3", TypeSet::number, "1e3"},
      {"true", TypeSet::boolean, "true"},
      {"True", TypeSet::boolean, "true"},
      {"None", TypeSet::any, "null"},
      {"{\"a\": 1}", TypeSet::object, "{\"a\": 1}"},
      {"{'a': True}", TypeSet::object, "{\"a\": true}"},
      {"['x', None]", TypeSet::array, "[\"x\", null]"},
      {"[1, 2", TypeSet::array, "\"[1, 2\""},
      {"hello \"you\"\n", TypeSet::any, "\"hello \\\"you\\\"\\n\""},
      {"hello", TypeSet::integer,
       "\"hello\""},  // the check against the schema refuses it, with its own words
      {"\"quoted\"", TypeSet::any, "\"\\\"quoted\\\"\""},
      {"", TypeSet::any, "\"\""},
      {"007", TypeSet::integer, "\"007\""},
      {"5", TypeSet::boolean, "5"},
  };
  for (const auto& c : cases) EXPECT_EQ(typed_json(c.raw, c.types), c.json) << c.raw;
}

}  // namespace
}  // namespace parley::orchestration::calls
