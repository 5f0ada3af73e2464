#include "orchestration/tools/parameters_schema.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "inference/json/json_writer.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

std::string problem(std::string_view schema) {
  return schema_problem(boost::json::parse(schema)).value_or("");
}

TEST(ParametersSchema, TakesObjectSchemas) {
  for (const char* schema :
       {"{}", R"({"type":"object"})",
        R"({"properties":{"a":{"$ref":"#/$defs/x"}},"required":["a"],"$defs":{"x":true}})",
        R"({"properties":{"$ref":{"type":"string"}}})"}) {
    EXPECT_EQ(problem(schema), "") << schema;
  }
}

TEST(ParametersSchema, SaysWhatIsWrong) {
  for (const char* schema :
       {"[]", "1", R"({"type":"string"})", R"({"properties":{"a":{"$ref":"#/$defs/gone"}}})",
        R"({"type":["object"]})", R"({"properties":[]})", R"({"required":"a"})", R"({"required":[1]})"}) {
    EXPECT_NE(problem(schema), "") << schema;
  }
  const std::string remote = problem(R"({"properties":{"a":[{"$ref":"http://evil.example/x"}]}})");
  EXPECT_NE(remote.find("http://evil.example/x"), std::string::npos) << remote;
}

TEST(ParametersSchema, BoundsDepth) {
  JsonValue schema = JsonObject{};
  for (int i = 0; i < 200; ++i) schema = JsonObject{{"items", JsonArray{schema}}};
  EXPECT_NE(schema_problem(schema).value_or("").find("deeper than 100"), std::string::npos);
}

TEST(ParametersSchema, ChecksArguments) {
  const JsonObject schema =
      boost::json::parse(
          R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},
                            "required":["city"],"additionalProperties":false})")
          .as_object();
  const auto check = [&](std::string_view text) {
    return argument_problem(schema, boost::json::parse(text).as_object()).value_or("");
  };
  EXPECT_EQ(check(R"({"city":"Oslo","days":2})"), "");
  EXPECT_EQ(check(R"({"city":"Oslo","days":2.0})"), "");
  EXPECT_EQ(check(R"({"days":2})"), "The arguments do not fit the tool: `city`: is required.");
  EXPECT_NE(check(R"({"city":1})").find("`city`"), std::string::npos);
  EXPECT_NE(check(R"({"city":"Oslo","days":2.5})").find("2.5 is not an integer"), std::string::npos);
  EXPECT_NE(check(R"({"city":"Oslo","x":1})").find("`x`"), std::string::npos);
  EXPECT_NE(check(R"({"days":"two","x":1})").find("; "), std::string::npos) << "several at once";
}

TEST(ParametersSchema, TellsTheFirstFewProblemsShortlyAndHowManyThereAre) {
  JsonObject properties;
  JsonArray required;
  for (int i = 0; i < 5; ++i) {
    const std::string name = std::to_string(i) + std::string(100'000, 'n');
    properties[name] = JsonObject{{"type", "string"}};
    required.emplace_back(name);
  }
  JsonObject schema{{"type", "object"}, {"properties", properties}, {"required", required}};
  const std::string missing = argument_problem(schema, {}).value();
  EXPECT_LT(missing.size(), 1'500u);
  EXPECT_TRUE(missing.ends_with("; and 2 more.")) << missing;
  schema["additionalProperties"] = false;
  JsonObject strange;
  for (int i = 0; i < 1'000; ++i) strange[std::string(1'000, 'x') + std::to_string(i)] = i;
  const std::string many = argument_problem(schema, strange).value();
  EXPECT_LT(many.size(), 1'500u);
  EXPECT_NE(many.find("; and at least 7 more."), std::string::npos) << many;
}

TEST(ParametersSchema, IsMadeOfNames) {
  EXPECT_EQ(
      inference::json::to_json_text(schema_of_strings({"b", "a", "b"})),
      R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}},"required":["b","a"]})");
}

}  // namespace
}  // namespace parley::orchestration::tools
