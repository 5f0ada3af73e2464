#include "orchestration/mcp/header_arguments.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::mcp {
namespace {

using inference::json::JsonObject;
using inference::json::parse_json;
using Headers = std::vector<std::pair<std::string, std::string>>;

JsonObject object(const std::string& text) {
  const auto parsed = parse_json(text, {.max_bytes = 1 << 20});
  return std::get<inference::json::JsonValue>(parsed).as_object();
}

std::vector<HeaderArgument> found(const std::string& schema) {
  const auto result = find_header_arguments(object(schema));
  EXPECT_TRUE(std::holds_alternative<std::vector<HeaderArgument>>(result)) << schema;
  return std::get<std::vector<HeaderArgument>>(result);
}

bool is_refused(const std::string& schema) {
  return std::holds_alternative<std::string>(find_header_arguments(object(schema)));
}

// The table of the specification, "Value Encoding".
TEST(HeaderArguments, values_are_encoded_as_the_specification_shows) {
  EXPECT_EQ(encode_header_value("us-west1"), "us-west1");
  EXPECT_EQ(encode_header_value("Hello, 世界"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(encode_header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(encode_header_value("line1\nline2"), "=?base64?bGluZTEKbGluZTI=?=");
  EXPECT_EQ(encode_header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  EXPECT_EQ(encode_header_value(""), "");
  EXPECT_EQ(encode_header_value("a\r\nX-Evil: 1"), "=?base64?YQ0KWC1FdmlsOiAx?=");
}

TEST(HeaderArguments, are_found_below_chains_of_properties) {
  const auto arguments = found(R"({"type":"object","properties":{
      "region":{"type":"string","x-mcp-header":"Region"},
      "where":{"type":"object","properties":{"zone":{"type":"integer","x-mcp-header":"Zone"}}},
      "x-mcp-header":{"type":"string"}}})");
  ASSERT_EQ(arguments.size(), 2u);
  EXPECT_EQ(header_values(arguments, object(R"({"region":"eu","where":{"zone":-7},"x-mcp-header":"a"})")),
            (Headers{{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Zone", "-7"}}));
}

TEST(HeaderArguments, are_left_out_where_there_is_no_value_for_them) {
  const auto arguments = found(R"({"properties":{"a":{"type":"boolean","x-mcp-header":"A"},
      "b":{"type":"integer","x-mcp-header":"B"},"c":{"properties":{"d":{"type":"string","x-mcp-header":"D"}}}}})");
  EXPECT_EQ(header_values(arguments, object(R"({"a":false,"b":9007199254740992,"c":5})")),
            (Headers{{"Mcp-Param-A", "false"}}));
  EXPECT_TRUE(header_values(arguments, object(R"({"a":null,"b":[1],"c":{"d":{}}})")).empty());
}

TEST(HeaderArguments, refuse_what_the_specification_forbids) {
  const std::string begin = R"({"properties":{"a":{"type":"string","x-mcp-header":)";
  for (const char* name : {"\"\"", "\"a b\"", "\"a:b\"", "\"a\\r\\nb\"", "\"ä\"", "5", "null"}) {
    EXPECT_TRUE(is_refused(begin + name + "}}}")) << name;
  }
  for (const char* type : {"number", "object", "array", "null", ""}) {
    EXPECT_TRUE(
        is_refused(std::string(R"({"properties":{"a":{"type":")") + type + R"(","x-mcp-header":"A"}}})"));
  }
  EXPECT_TRUE(is_refused(R"({"properties":{"a":{"type":"string","x-mcp-header":"Same"},
                                           "b":{"type":"string","x-mcp-header":"sAME"}}})"));
  EXPECT_TRUE(is_refused(R"({"x-mcp-header":"A","type":"string"})"));
  for (const char* place :
       {"items", "anyOf", "allOf", "not", "if", "then", "$defs", "additionalProperties"}) {
    EXPECT_TRUE(is_refused(std::string(R"({"properties":{"a":{")") + place +
                           R"(":[{"type":"string","x-mcp-header":"A"}]}}})"))
        << place;
  }
}

TEST(HeaderArguments, values_that_look_like_annotations_are_none) {
  EXPECT_TRUE(
      found(R"({"properties":{"a":{"default":{"x-mcp-header":"A"},"enum":[{"x-mcp-header":1}]}}})").empty());
}

}  // namespace
}  // namespace parley::orchestration::mcp
