#include "app/api/tool_definitions.h"

#include <string>
#include <utility>

#include "inference/json/json_writer.h"
#include "tests/app/api/json_fields.h"

namespace parley::app::api {
namespace {

ToolList read_definitions(protocol::FieldReader& fields, const inference::json::JsonObject&) {
  return read_tool_definitions(fields);
}

std::string tools_field(const std::string& tools) { return R"({"tools":[)" + tools + "]}"; }

std::string function_tool(const std::string& function) {
  return R"({"type":"function","function":)" + function + "}";
}

TEST(ToolDefinitionsTest, ReadsNamesDescriptionsSchemasAndStrictness) {
  const ToolList tools = read_well(
      tools_field(function_tool(R"({"name":"get_weather","description":"Tells the weather.","strict":true,)"
                                R"("parameters":{"type":"object","properties":{"city":{"type":"string"}},)"
                                R"("required":["city"],"additionalProperties":false}})") +
                  "," +
                  function_tool(R"({"name":"Now-2","parameters":{"properties":{"zone":{}}},"strict":null})")),
      read_definitions);
  ASSERT_EQ(tools.size(), 2u);
  EXPECT_EQ(tools[0]->spec().name, "get_weather");
  EXPECT_EQ(tools[0]->spec().description, "Tells the weather.");
  EXPECT_TRUE(tools[0]->spec().strict);
  EXPECT_EQ(tools[0]->spec().parameters.at("required").at(0), "city");
  EXPECT_EQ(tools[1]->spec().name, "Now-2");
  EXPECT_EQ(tools[1]->spec().description, "");
  EXPECT_FALSE(tools[1]->spec().strict) << "as OpenAI has it";
  EXPECT_EQ(inference::json::to_json_text(tools[1]->spec().parameters),
            R"({"properties":{"zone":{}},"type":"object"})");
  EXPECT_TRUE(has_tool(tools, "Now-2"));
  EXPECT_FALSE(has_tool(tools, "now-2"));
}

TEST(ToolDefinitionsTest, AToolWithoutParametersTakesNone) {
  for (const char* function : {R"({"name":"now"})", R"({"name":"now","parameters":null})"}) {
    const ToolList tools = read_well(tools_field(function_tool(function)), read_definitions);
    EXPECT_EQ(inference::json::to_json_text(tools.at(0)->spec().parameters),
              R"({"type":"object","properties":{},"additionalProperties":false})");
  }
}

TEST(ToolDefinitionsTest, NoToolsAreNone) {
  for (const char* text : {"{}", R"({"tools":null})", R"({"tools":[]})"})
    EXPECT_TRUE(read_well(text, read_definitions).empty()) << text;
}

TEST(ToolDefinitionsTest, NamesWhatIsWrong) {
  const std::string good = function_tool(R"({"name":"a"})");
  const std::pair<std::string, const char*> cases[] = {
      {"5", "tools[0]"},
      {"{}", "tools[0].type"},
      {R"({"type":"custom","custom":{"name":"a"}})", "tools[0].type"},
      {R"({"type":"function"})", "tools[0].function"},
      {function_tool("[]"), "tools[0].function"},
      {function_tool("{}"), "tools[0].function.name"},
      {function_tool(R"({"name":""})"), "tools[0].function.name"},
      {function_tool(R"({"name":"a b"})"), "tools[0].function.name"},
      {function_tool(R"({"name":"\u00e4"})"), "tools[0].function.name"},
      {function_tool(R"({"name":"a.b"})"), "tools[0].function.name"},
      {function_tool(R"({"name":")" + std::string(65, 'a') + "\"}"), "tools[0].function.name"},
      {function_tool(R"({"name":7})"), "tools[0].function.name"},
      {good + "," + good, "tools[1].function.name"},
      {good + "," + function_tool(R"({"name":"b","description":1})"), "tools[1].function.description"},
      {function_tool(R"({"name":"a","strict":"yes"})"), "tools[0].function.strict"},
      {function_tool(R"({"name":"a","parameters":"{}"})"), "tools[0].function.parameters"},
      {function_tool(R"({"name":"a","parameters":[]})"), "tools[0].function.parameters"},
      {function_tool(R"({"name":"a","parameters":{"type":"string"}})"), "tools[0].function.parameters"},
      {function_tool(R"({"name":"a","parameters":{"properties":[]}})"), "tools[0].function.parameters"},
      {function_tool(R"({"name":"a","parameters":{"properties":{"x":{"$ref":"http://h/s"}}}})"),
       "tools[0].function.parameters"}};
  for (const auto& [tools, field] : cases)
    EXPECT_EQ(blame(tools_field(tools), read_definitions), field) << tools;
  EXPECT_EQ(blame(R"({"tools":{}})", read_definitions), "tools");
  read_well(tools_field(function_tool(R"({"name":")" + std::string(64, 'a') + "\"}")), read_definitions);
}

std::string many_tools(int count, const std::string& parameters) {
  std::string tools;
  for (int i = 0; i < count; ++i)
    tools += (i == 0 ? "" : ",") +
             function_tool(R"({"name":"t)" + std::to_string(i) + R"(","parameters":)" + parameters + "}");
  return tools_field(tools);
}

TEST(ToolDefinitionsTest, TakesAtMost128) {
  EXPECT_EQ(read_well(many_tools(128, "{}"), read_definitions).size(), 128u);
  EXPECT_EQ(blame(many_tools(129, "{}"), read_definitions), "tools");
}

// 55 bytes for each property.
std::string tools_with_properties(int count) {
  std::string properties;
  for (int i = 0; i < count; ++i)
    properties += (i == 0 ? "\"p" : ",\"p") + std::to_string(i) +
                  R"(":{"type":"string","pattern":"^(a+)+[b-z]{1,9}$"})";
  return many_tools(128, R"({"type":"object","properties":{)" + properties + "}}");
}

// Schemas are looked through on the thread that serves everybody.
TEST(ToolDefinitionsTest, TakesAtMostAMebibyteTogether) {
  const std::string text = tools_with_properties(140);
  EXPECT_GT(text.size(), 900'000u);
  EXPECT_EQ(read_well(text, read_definitions).size(), 128u);
  EXPECT_EQ(blame(tools_with_properties(200), read_definitions), "tools");
}

}  // namespace
}  // namespace parley::app::api
