#include "orchestration/mcp/tool_definition.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::orchestration::mcp {
namespace {

using inference::json::JsonValue;

JsonValue value_of(const std::string& text) {
  return std::get<JsonValue>(inference::json::parse_json(text, {.max_bytes = 1 << 22}));
}

ToolDefinition tool(const std::string& text) {
  const auto read = read_tool_definition(value_of(text));
  EXPECT_TRUE(std::holds_alternative<ToolDefinition>(read)) << std::get<std::string>(read);
  return std::get<ToolDefinition>(read);
}

std::string problem(const std::string& text) {
  return std::get<std::string>(read_tool_definition(value_of(text)));
}

TEST(ToolDefinition, has_all_that_the_server_said) {
  const ToolDefinition read = tool(R"({"name":"a.b","title":"T\u001b[1m","description":"line\r\n2",
      "inputSchema":{"type":"object"},"outputSchema":{"type":"object"},
      "annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":"yes"}})");
  EXPECT_EQ(read.name, "a.b");
  EXPECT_EQ(read.title, "T");
  EXPECT_EQ(read.description, "line\n2");
  EXPECT_NE(read.canonical.find("readOnlyHint"), std::string::npos)
      << "what it hints at counts as a change only";
}

TEST(ToolDefinition, the_order_of_keys_is_no_change_and_anything_else_is) {
  const std::string one = tool(R"({"name":"a","inputSchema":{"type":"object","properties":{}}})").canonical;
  EXPECT_EQ(tool(R"({"inputSchema":{"properties":{},"type":"object"},"name":"a"})").canonical, one);
  EXPECT_NE(
      tool(R"({"name":"a","description":"x","inputSchema":{"type":"object","properties":{}}})").canonical,
      one);
  EXPECT_NE(tool(R"({"name":"a","inputSchema":{"type":"object","properties":{"b":{}}}})").canonical, one);
  EXPECT_NE(
      tool(R"({"name":"a","annotations":{},"inputSchema":{"type":"object","properties":{}}})").canonical,
      one);
}

TEST(ToolDefinition, odd_names_are_kept_raw_and_shown_plain) {
  EXPECT_EQ(tool(R"({"name":"ä b\n/😀","inputSchema":{}})").name, "ä b\n/😀");
  EXPECT_NE(problem(R"({"name":"a\u001b[1mb"})").find("\"ab\""), std::string::npos);
}

TEST(ToolDefinition, what_cannot_be_used_says_why) {
  EXPECT_FALSE(problem("7").empty());
  EXPECT_NE(problem("{}").find("name"), std::string::npos);
  EXPECT_NE(problem(R"({"name":"","inputSchema":{}})").find("name"), std::string::npos);
  EXPECT_NE(problem(R"({"name":")" + std::string(257, 'a') + R"(","inputSchema":{}})").find("256"),
            std::string::npos);
  EXPECT_NE(problem(R"({"name":"a"})").find("inputSchema"), std::string::npos);
  EXPECT_NE(problem(R"({"name":"a","inputSchema":null})").find("inputSchema"), std::string::npos);
  EXPECT_NE(problem(R"({"name":"a","description":")" + std::string(300000, 'x') + R"(","inputSchema":{}})")
                .find("KiB"),
            std::string::npos);
  EXPECT_NE(problem(R"({"name":"a","inputSchema":{"x-mcp-header":"A"}})").find("x-mcp-header"),
            std::string::npos);
}

}  // namespace
}  // namespace parley::orchestration::mcp
