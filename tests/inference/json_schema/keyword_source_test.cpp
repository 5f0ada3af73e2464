// Keywords whose value is not what they need: each is refused with its place and name.
#include "inference/json_schema/keyword_source.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

constexpr const char* kValues[] = {
    "null",       "true",         "-1",        "0",    "1",          "2.5",
    "2.0",        "\"a\"",        "\"[\"",     "[]",   "[\"a\"]",    "[\"a\",\"a\"]",
    "[1]",        "{}",           "{\"a\":1}", "[{}]", "{\"a\":{}}", "{\"a\":[\"b\"]}",
    "\"string\"", "[\"string\"]", "{\"[\":{}}"};
constexpr const char* kKeywords[] = {"type",
                                     "enum",
                                     "const",
                                     "minimum",
                                     "maximum",
                                     "multipleOf",
                                     "minLength",
                                     "maxLength",
                                     "pattern",
                                     "format",
                                     "minItems",
                                     "maxItems",
                                     "uniqueItems",
                                     "items",
                                     "prefixItems",
                                     "contains",
                                     "minContains",
                                     "maxContains",
                                     "required",
                                     "minProperties",
                                     "properties",
                                     "patternProperties",
                                     "additionalProperties",
                                     "propertyNames",
                                     "dependentRequired",
                                     "dependentSchemas",
                                     "dependencies",
                                     "allOf",
                                     "anyOf",
                                     "oneOf",
                                     "not",
                                     "if",
                                     "then",
                                     "unevaluatedItems",
                                     "unevaluatedProperties",
                                     "additionalItems",
                                     "exclusiveMinimum",
                                     "exclusiveMaximum",
                                     "maxProperties",
                                     "definitions",
                                     "$defs",
                                     "$anchor",
                                     "$comment"};

// The metaschemas are the independent reference: what they accept compiles, what they refuse does not.
void compare_with_metaschema(std::string_view draft, const std::set<std::string>& laxer) {
  const Schema metaschema = schema_of(json::JsonObject{{"$ref", draft}}, {.formats = FormatRule::enforce});
  for (const char* keyword : kKeywords) {
    for (const char* value : kValues) {
      const json::JsonValue schema =
          value_of("{\"$schema\":\"" + std::string(draft) + "\",\"" + keyword + "\":" + value + "}");
      const bool good = metaschema.validate(schema).empty();
      const bool compiles = std::holds_alternative<Schema>(Schema::compile(schema));
      if (laxer.contains(keyword)) {
        EXPECT_TRUE(compiles || !good) << schema;
      } else {
        EXPECT_EQ(compiles, good) << schema;
      }
    }
  }
}

TEST(KeywordSourceTest, RefusesWhatTheMetaschemaRefuses) {
  // Of keywords that check nothing, the form does not matter.
  compare_with_metaschema("http://json-schema.org/draft-07/schema#", {"$comment"});
  compare_with_metaschema("https://json-schema.org/draft/2020-12/schema", {"$comment"});
  compare_with_metaschema("https://json-schema.org/draft/2019-09/schema", {"$comment"});
}

TEST(KeywordSourceTest, SaysWhichKeywordAndWhere) {
  EXPECT_EQ(refusal(R"({"properties": {"a": {"minLength": -1}}})"),
            "at `properties.a`: `minLength` must be a whole number of at least 0, not -1.");
  EXPECT_EQ(refusal(R"({"maximum": "9"})"), "`maximum` must be a number, not \"9\".");
  EXPECT_EQ(refusal(R"({"multipleOf": 0})"), "`multipleOf` must be more than 0.");
  EXPECT_EQ(refusal(R"({"uniqueItems": 1})"), "`uniqueItems` must be true or false, not 1.");
  EXPECT_EQ(refusal(R"({"required": "city"})"), "`required` must be a list of different property names.");
  EXPECT_EQ(refusal(R"({"type": "int"})"),
            "`type` is \"int\"; the types are string, number, integer, boolean, array, object and null.");
  EXPECT_EQ(refusal(R"({"pattern": "a("})"),
            "`pattern` is \"a(\", which cannot be used: a group is not closed at character 3.");
}

}  // namespace
}  // namespace parley::inference::json_schema
