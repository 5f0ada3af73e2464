// Schemas and values that are meant to hang, overflow or leak: each ends quickly, with words.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

JsonValue text_of(char c, std::size_t count, std::string_view end = {}) {
  return JsonValue((std::string(count, c) += end).c_str());
}

// `depth` times {key: …} around the innermost value.
JsonValue nested(std::string_view key, std::size_t depth, JsonValue innermost) {
  for (std::size_t i = 0; i < depth; ++i) {
    JsonObject object;
    object.emplace(key, std::move(innermost));
    innermost = std::move(object);
  }
  return innermost;
}

JsonValue nested_list(std::string_view key, std::size_t depth, JsonValue innermost) {
  for (std::size_t i = 0; i < depth; ++i) {
    JsonArray twins{innermost, std::move(innermost)};
    JsonObject object;
    object.emplace(key, std::move(twins));
    innermost = std::move(object);
  }
  return innermost;
}

// Whatever the sanitizers slow down: it must not hang.
template <typename Action>
auto within_seconds(int seconds, const Action& action) {
  const auto begin = std::chrono::steady_clock::now();
  auto result = action();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(seconds));
  return result;
}

void expect_too_complex(const Schema& schema, const JsonValue& instance) {
  const auto violations = within_seconds(30, [&] { return schema.validate(instance); });
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].keyword, kTooComplex);
  EXPECT_EQ(to_text(violations[0]), "is too complex to check against this schema");
}

TEST(HostileSchemaTest, TenThousandLevelsAreRefused) {
  for (const char* key : {"items", "not", "additionalProperties", "const", "no-keyword"}) {
    EXPECT_EQ(error_of(nested(key, 10'000, JsonObject{})).message,
              "The schema is nested deeper than 128 levels.");
  }
  EXPECT_EQ(schema_of(nested("not", 128, JsonObject{})).validate(1).size(), 0U);
}

TEST(HostileSchemaTest, ManyValuesAreRefused) {
  JsonArray values;
  for (int i = 0; i < 300'000; ++i) values.push_back(i);
  EXPECT_EQ(error_of(JsonObject{{"enum", values}}).message, "The schema holds more than 200000 values.");
}

TEST(HostileSchemaTest, ReferencesThatLeadNowhereForEverAreRefused) {
  for (const char* schema : {
           R"({"$ref": "#"})",
           R"({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})",
           R"({"allOf": [{"$ref": "#"}]})",
           R"({"anyOf": [{"type": "null"}, {"not": {"$ref": "#"}}]})",
           R"({"if": {}, "else": {"$ref": "#"}})",
           R"({"dependentSchemas": {"a": {"$ref": "#"}}})",
           R"({"$defs": {"unused": {"oneOf": [{"$ref": "#/$defs/unused"}]}}})",
       }) {
    EXPECT_NE(refusal(schema).find("leads back to itself"), std::string::npos) << schema;
  }
  EXPECT_EQ(error_of(value_of(R"({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"allOf":
      [{"$ref": "#/$defs/x"}]}}})"))
                .place.substr(0, 8),
            "/$defs/x");
}

TEST(HostileSchemaTest, RecursionThatLooksDeeperIsFine) {
  const Schema tree = compiled(R"({"properties": {"next": {"$ref": "#"}}, "required": ["v"]})");
  EXPECT_TRUE(tree.validate(value_of(R"({"v": 1, "next": {"v": 2, "next": {"v": 3}}})")).empty());
  EXPECT_EQ(tree.validate(value_of(R"({"v": 1, "next": {"next": {"v": 3}}})")).at(0).place, "/next/v");
}

TEST(HostileSchemaTest, DynamicReferencesInARingAreGivenUp) {
  auto result = Schema::compile(value_of(R"({"$id": "a", "$dynamicAnchor": "x", "$ref": "b",
      "$defs": {"b": {"$id": "b", "allOf": [{"$ref": "c"}]},
                "c": {"$id": "c", "$dynamicRef": "#x", "$defs": {"d": {"$dynamicAnchor": "x"}}}}})"));
  if (auto* schema = std::get_if<Schema>(&result)) expect_too_complex(*schema, 1);
}

TEST(HostileSchemaTest, DeepValuesAreGivenUp) {
  const Schema tree = compiled(R"({"properties": {"next": {"$ref": "#"}}, "type": "object"})");
  expect_too_complex(tree, nested("next", 10'000, JsonObject{}));
  EXPECT_TRUE(tree.validate(nested("next", 200, JsonObject{})).empty());
  // No schema looks inside: nothing to give up.
  EXPECT_TRUE(compiled(R"({"type": "object"})").validate(nested("a", 10'000, 1)).empty());
  expect_too_complex(compiled(R"({"uniqueItems": true})"),
                     JsonArray{nested("a", 10'000, 1), nested("a", 10'000, 1)});
}

TEST(HostileSchemaTest, LongChainsOfReferencesEnd) {
  JsonObject defs;
  for (int i = 0; i < 20'000; ++i) {
    defs.emplace("d" + std::to_string(i), JsonObject{{"$ref", "#/$defs/d" + std::to_string(i + 1)}});
  }
  defs.emplace("d20000", JsonObject{{"type", "null"}});
  const Schema chain = within_seconds(30, [&] {
    return schema_of(JsonObject{{"$ref", "#/$defs/d0"}, {"$defs", defs}});
  });
  expect_too_complex(chain, nullptr);
}

TEST(HostileSchemaTest, ExponentialCombinationsAreGivenUp) {
  // Sixteen doublings in the document, times 2^20 by references.
  for (const char* keyword : {"allOf", "oneOf"}) {
    JsonObject defs;
    for (int i = 0; i < 40; ++i) {
      const JsonObject next{{"$ref", "#/$defs/d" + std::to_string(i + 1)}};
      defs.emplace("d" + std::to_string(i), JsonObject{{keyword, JsonArray{next, next}}});
    }
    defs.emplace("d40", JsonObject{{"type", std::string_view(keyword) == "allOf" ? "integer" : "string"}});
    expect_too_complex(schema_of(JsonObject{{"$ref", "#/$defs/d0"}, {"$defs", defs}}), 7);
  }
  const Schema wide = schema_of(nested_list("anyOf", 10, JsonObject{{"type", "null"}}));
  EXPECT_FALSE(within_seconds(10, [&] { return wide.validate(1); }).empty());
}

TEST(HostileSchemaTest, ManyKeywordsOnManyMembersAreGivenUp) {
  JsonArray all;
  for (int i = 0; i < 5000; ++i) all.push_back(JsonObject{{"properties", JsonObject{{"x", true}}}});
  JsonObject instance;
  for (int i = 0; i < 50'000; ++i) instance.emplace("k" + std::to_string(i), i);
  expect_too_complex(schema_of(JsonObject{{"allOf", all}}), instance);
}

TEST(HostileSchemaTest, SlowPatternsAreGivenUp) {
  expect_too_complex(compiled(R"({"pattern": "^(a+)+$"})"), text_of('a', 60, "!"));
  expect_too_complex(compiled(R"({"patternProperties": {"^(a|a)*$": true}})"),
                     JsonObject{{std::string(60, 'a') + "!", 1}});
  expect_too_complex(compiled(R"({"not": {"pattern": "(.*)(.*)(.*)(.*)(.*)(.*)[xy]"}})"), text_of('a', 2000));
  // Each by itself is cheap enough.
  JsonArray many;
  for (int i = 0; i < 3000; ++i) many.push_back(text_of('a', 300, std::to_string(i)));
  expect_too_complex(compiled(R"({"items": {"pattern": "(a*)(a*)[bc]"}})"), many);
}

// Small as they are, such limits must hold for each keyword.
TEST(HostileSchemaTest, EveryKeywordStopsAtTheEndOfTheBudget) {
  JsonArray items;
  JsonObject members;
  for (int i = 0; i < 500; ++i) {
    items.push_back(JsonObject{{"n", i}});
    members.emplace("m" + std::to_string(i), i);
  }
  for (const char* schema : {R"({"items": {}})", R"({"prefixItems": [{}], "items": {}})",
                             R"({"contains": {}, "minContains": 400})", R"({"uniqueItems": true})",
                             R"({"unevaluatedItems": {}})"}) {
    expect_too_complex(compiled(schema, {.max_steps = 100}), items);
  }
  for (const char* schema : {R"({"properties": {"a": {}}})", R"({"patternProperties": {"^m": {}}})",
                             R"({"additionalProperties": {}})", R"({"propertyNames": {"pattern": "m"}})",
                             R"({"unevaluatedProperties": {}})"}) {
    expect_too_complex(compiled(schema, {.max_steps = 100}), members);
  }
  for (const char* schema :
       {R"({"minLength": 1})", R"({"pattern": "x"})", R"({"enum": ["y", "x"]})", R"({"format": "date"})"}) {
    const SchemaOptions options{.formats = FormatRule::enforce, .max_steps = 10};
    EXPECT_EQ(compiled(schema, options).validate(text_of('x', 100'000)).at(0).keyword,
              std::string_view(schema).find("enum") == std::string_view::npos ? kTooComplex : "enum")
        << schema;
  }
}

TEST(HostileSchemaTest, NothingIsFetched) {
  for (const char* target : {"http://example.com/schema.json", "https://json-schema.org/draft/2020-12/none",
                             "file:///etc/passwd", "other.json", "//host/a", "ftp://a/b#/c", "../a"}) {
    const auto error = error_of(JsonObject{{"properties", JsonObject{{"a", JsonObject{{"$ref", target}}}}}});
    EXPECT_NE(error.message.find("Nothing is ever fetched"), std::string::npos) << error.message;
    EXPECT_EQ(error.place, "/properties/a");
  }
}

TEST(HostileSchemaTest, LongTextsInMessagesAreCut) {
  const std::string text(100'000, 'x');
  EXPECT_LT(to_text(schema_of(JsonObject{{"const", text}}).validate(text_of('x', 1000, "y")).at(0)).size(),
            250U);
  EXPECT_LT(
      to_text(schema_of(JsonObject{{"required", JsonArray{JsonValue(text)}}}).validate(JsonObject{}).at(0))
          .size(),
      250U);
  EXPECT_LT(to_text(error_of(JsonObject{{"type", text}})).size(), 250U);
  EXPECT_LT(to_text(error_of(JsonObject{{"$ref", text}})).size(), 350U);
  EXPECT_LT(to_text(error_of(JsonObject{{text, JsonObject{}}, {"$schema", text}})).size(), 350U);
}

TEST(HostileSchemaTest, OddNamesAreJustNames) {
  const JsonObject properties{{"", JsonObject{{"type", "null"}}},
                              {"$ref", JsonObject{{"type", "null"}}},
                              {std::string("a\0b", 3), JsonObject{{"type", "null"}}},
                              {"\xFF", true}};
  const Schema schema = schema_of(JsonObject{{"properties", properties}});
  const auto violations =
      schema.validate(JsonObject{{"", 1}, {"$ref", 1}, {std::string("a\0b", 3), 1}, {"\xFF", 1}});
  EXPECT_EQ(violations.size(), 3U);
}

}  // namespace
}  // namespace parley::inference::json_schema
