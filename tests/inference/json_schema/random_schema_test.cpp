// Random schemas, random values, random damage: no crash, bounded time, and the same verdict each time.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <random>
#include <string>

#include "inference/json/json_writer.h"
#include "tests/inference/json_schema/schema_fixture.h"

namespace parley::inference::json_schema {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;

constexpr std::array kNames{"a", "b", "", "$ref", "~/", "\xC3\xA9"};
constexpr std::array kKeywords{"type",
                               "enum",
                               "const",
                               "minimum",
                               "multipleOf",
                               "minLength",
                               "pattern",
                               "format",
                               "items",
                               "prefixItems",
                               "contains",
                               "minContains",
                               "uniqueItems",
                               "required",
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
                               "else",
                               "unevaluatedItems",
                               "unevaluatedProperties",
                               "$ref",
                               "$dynamicRef",
                               "$id",
                               "$anchor",
                               "$dynamicAnchor",
                               "$defs",
                               "$schema",
                               "additionalItems",
                               "maxProperties",
                               "definitions"};
constexpr std::array kTexts{"string",
                            "integer",
                            "object",
                            "#",
                            "#/$defs/a",
                            "#a",
                            "^(a+)+$",
                            "[a-z]",
                            "date",
                            "regex",
                            "http://a/b",
                            "a",
                            "http://json-schema.org/draft-07/schema#",
                            "https://json-schema.org/draft/2020-12/schema",
                            "\\p{L}{2,}",
                            "(?<x>.)\\k<x>",
                            "\xFF"};

constexpr std::string_view kLongText = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

class Source {
 public:
  explicit Source(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }

  template <typename List>
  const char* one_of(const List& list) {
    return list.at(below(list.size()));
  }

  JsonValue value(int depth) {
    switch (below(depth > 0 ? 8 : 6)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return static_cast<std::int64_t>(below(5)) - 1;
      case 3:
        return static_cast<double>(below(100)) / 8;
      case 4:
        return kTexts.at(below(kTexts.size()));
      case 5:
        return JsonValue(kLongText.substr(0, below(40)));
      case 6:
        return list([&] { return value(depth - 1); });
      default:
        return map([&] { return value(depth - 1); });
    }
  }

  // Mostly what the keyword wants, since nonsense is refused at once.
  JsonValue schema(int depth) {
    if (depth == 0 || below(12) == 0) return below(3) != 0;
    JsonObject out;
    for (std::size_t i = below(5); i > 0; --i) {
      const std::string keyword = one_of(kKeywords);
      out.emplace(keyword, operand(keyword, depth - 1));
    }
    return out;
  }

 private:
  template <typename Make>
  JsonValue list(const Make& make) {
    JsonArray out;
    for (std::size_t i = below(4); i > 0; --i) out.push_back(make());
    return out;
  }

  template <typename Make>
  JsonValue map(const Make& make) {
    JsonObject out;
    for (std::size_t i = below(4); i > 0; --i) out.emplace(one_of(kNames), make());
    return out;
  }

  JsonValue operand(const std::string& keyword, int depth) {
    const auto subschema = [&] { return schema(depth); };
    if (below(40) == 0) return value(2);
    if (keyword == "$defs" || keyword == "definitions" || keyword.ends_with("roperties") ||
        keyword == "dependentSchemas" || keyword == "dependencies") {
      const bool single = keyword.starts_with("additional") || keyword.starts_with("uneval");
      if (keyword == "maxProperties") return 3;
      return single ? subschema() : map(subschema);
    }
    if (keyword.ends_with("Of") && keyword != "multipleOf") return JsonArray{subschema(), subschema()};
    if (keyword == "prefixItems") return JsonArray{subschema()};
    if (keyword == "enum") return list([&] { return value(1); });
    if (keyword == "required") return JsonArray{"a"};
    if (keyword == "dependentRequired") return JsonObject{{"a", JsonArray{"b"}}};
    if (keyword.starts_with("min") || keyword == "multipleOf") return below(3) + 1;
    if (keyword == "uniqueItems") return true;
    if (keyword.starts_with("$ref") || keyword == "$dynamicRef") return below(4) == 0 ? "#a" : "#/$defs/a";
    if (keyword.starts_with('$') || keyword == "type" || keyword == "pattern" || keyword == "format") {
      return one_of(kTexts);
    }
    return keyword == "const" ? value(1) : subschema();
  }

  std::mt19937 random_;
};

TEST(RandomSchemaTest, EndsInTimeWithTheSameVerdict) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t compiled_schemas = 0;
  std::size_t violations = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    Source source(seed);
    const auto result =
        Schema::compile(source.schema(5), {.formats = FormatRule::enforce, .max_steps = 20'000});
    if (const auto* error = std::get_if<SchemaError>(&result)) {
      EXPECT_FALSE(error->message.empty());
      EXPECT_LT(to_text(*error).size(), 500U);
      continue;
    }
    ++compiled_schemas;
    for (int i = 0; i < 5; ++i) {
      const JsonValue instance = source.value(4);
      const auto found = std::get<Schema>(result).validate(instance);
      EXPECT_EQ(found.size(), std::get<Schema>(result).validate(instance).size());
      for (const Violation& violation : found) {
        EXPECT_FALSE(violation.sentence.empty());
        EXPECT_LT(to_text(violation).size(), 1000U) << to_text(violation);
      }
      violations += found.size();
    }
  }
  EXPECT_GT(compiled_schemas, 400U);
  EXPECT_GT(violations, 400U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(5));
}

// A damaged metaschema exercises what random keywords rarely reach: references and their kin.
TEST(RandomSchemaTest, DamagedSchemasAreRefusedOrUsed) {
  const std::string whole = json::to_json_text(load_json("tests/inference/json_schema/damaged_schema.json"));
  std::mt19937 random(7);
  std::size_t used = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = random() % text.size();
      if (text[at] != '"') text[at] = "0a#/$e"[random() % 6];
    }
    auto parsed = json::parse_json(text, {.max_bytes = 1 << 20, .max_depth = 128});
    const auto* schema = std::get_if<JsonValue>(&parsed);
    if (!schema) continue;
    auto result = Schema::compile(*schema, {.max_steps = 50'000});
    if (auto* good = std::get_if<Schema>(&result)) {
      ++used;
      good->validate(*schema);
    }
  }
  EXPECT_GT(used, 50U);
}

}  // namespace
}  // namespace parley::inference::json_schema
