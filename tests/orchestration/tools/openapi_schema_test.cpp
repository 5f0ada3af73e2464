#include "orchestration/tools/openapi_schema.h"

#include <gtest/gtest.h>

#include "inference/json/json_writer.h"
#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonValue;

struct WrittenOut {
  std::string text;
  std::string problem;
};

WrittenOut written_out(std::string_view schema, std::string_view document = "{}") {
  const JsonValue root = json_of(document);
  OpenApiSchemas schemas(root);
  const JsonValue out = schemas.written_out(json_of(schema));
  return {.text = inference::json::to_json_text(out), .problem = schemas.problem()};
}

TEST(OpenApiSchemaTest, WritesReferencesOut) {
  const std::string document =
      R"({"components":{"schemas":{"A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B~1x"}}},
    "B/x":{"$ref":"#/components/schemas/C"},"C":{"enum":["c"],"description":"own"}}}})";
  EXPECT_EQ(written_out(R"({"$ref":"#/components/schemas/A"})", document).text,
            R"({"type":"object","properties":{"b":{"enum":["c"],"description":"own"}}})");
  EXPECT_EQ(
      written_out(R"({"$ref":"#/components/schemas/C","description":"nearer","default":"c"})", document).text,
      R"({"enum":["c"],"description":"nearer","default":"c"})");
}

TEST(OpenApiSchemaTest, TellsOnlyTheTypeOfWhatContainsItself) {
  const std::string document =
      R"({"T":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/T"}}}},"U":{"$ref":"#/U"}})";
  EXPECT_EQ(written_out(R"({"$ref":"#/T"})", document).text,
            R"({"type":"object","properties":{"kids":{"type":"array","items":{"type":"object"}}}})");
  EXPECT_NE(written_out(R"({"$ref":"#/U"})", document).problem.find("circles"), std::string::npos);
}

TEST(OpenApiSchemaTest, DropsWhatSaysNothingAboutArguments) {
  EXPECT_EQ(written_out(
                R"({"title":"T","example":1,"x-order":2,"xml":{},"type":"object","required":["title","made"],
    "properties":{"title":{"title":"Title","type":"string"},"made":{"type":"string","readOnly":true}}})")
                .text,
            R"({"type":"object","required":["title"],"properties":{"title":{"type":"string"}}})");
}

TEST(OpenApiSchemaTest, TranslatesOpenApi30) {
  EXPECT_EQ(written_out(R"({"type":"string","nullable":true})").text, R"({"type":["string","null"]})");
  EXPECT_EQ(
      written_out(
          R"({"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false})")
          .text,
      R"({"type":"number","maximum":9,"exclusiveMinimum":0})");
  EXPECT_EQ(written_out(R"({"exclusiveMinimum":0})").text, R"({"exclusiveMinimum":0})");
}

TEST(OpenApiSchemaTest, WalksEverySubschema) {
  EXPECT_EQ(
      written_out(
          R"({"anyOf":[{"title":"x","type":"null"},{"not":{"title":"y"}}],"items":{"title":"z"},"additionalProperties":{"title":"w","type":"string"}})")
          .text,
      R"({"anyOf":[{"type":"null"},{"not":{}}],"items":{},"additionalProperties":{"type":"string"}})");
  EXPECT_EQ(written_out("true").text, "true");
  EXPECT_EQ(written_out("[1]").text, "{}");
  EXPECT_EQ(written_out(R"({"additionalProperties":false,"properties":[],"anyOf":{}})").text,
            R"({"additionalProperties":false,"properties":{},"anyOf":[]})");
}

TEST(OpenApiSchemaTest, EndsAtTheBudgetWhenReferencesDouble) {
  std::string document = "{";
  for (int level = 0; level < 30; ++level) {
    const std::string next = "\"$ref\":\"#/L" + std::to_string(level + 1) + "\"";
    document +=
        "\"L" + std::to_string(level) + R"(":{"properties":{"a":{)" + next + "},\"b\":{" + next + "}}},";
  }
  document += R"("L30":{"type":"string"}})";
  const WrittenOut out = written_out(R"({"$ref":"#/L0"})", document);
  EXPECT_NE(out.problem.find("larger than 65536 bytes"), std::string::npos) << out.problem;
  EXPECT_LT(out.text.size(), 200000U);
}

TEST(OpenApiSchemaTest, CountsWhatItCopies) {
  std::string document = R"({"big":{"enum":[")" + std::string(30000, 'x') + R"("]}})";
  const std::string twice = R"({"properties":{"a":{"$ref":"#/big"},"b":{"$ref":"#/big"}}})";
  EXPECT_EQ(written_out(twice, document).problem, "");
  const std::string thrice =
      R"({"properties":{"a":{"$ref":"#/big"},"b":{"$ref":"#/big"},"c":{"$ref":"#/big"}}})";
  EXPECT_NE(written_out(thrice, document).problem, "");
}

TEST(OpenApiSchemaTest, BearsDepth) {
  std::string deep = "{}";
  for (int level = 0; level < 60; ++level) deep.insert(0, R"({"items":)") += "}";
  EXPECT_EQ(written_out(deep).problem, "");
}

TEST(OpenApiSchemaTest, RefusesReferencesThatLeaveTheDescription) {
  for (const char* pointer :
       {"http://evil.example/a.json", "other.json#/A", "#A", "#", "", "#/none", "#/a/99", "/a"}) {
    const std::string schema = std::string(R"({"$ref":")") + pointer + "\"}";
    EXPECT_NE(written_out(schema, R"({"a":[1]})").problem, "") << pointer;
  }
}

}  // namespace
}  // namespace parley::orchestration::tools
