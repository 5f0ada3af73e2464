#include "orchestration/tools/openapi_operation.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/openapi_fixture.h"

namespace parley::orchestration::tools {
namespace {

std::vector<std::string> words(const OpenApiTools& tools, std::string_view name, std::string_view arguments) {
  const Tool* tool = find_tool(tools, name);
  return tool == nullptr ? std::vector<std::string>() : tool->preview(arguments_of(arguments)).words;
}

TEST(OpenApiOperationTest, MergesParametersAndBodyIntoOneObject) {
  const OpenApiTools tools = tools_of(description_with(R"({"/users/{id}": {
    "parameters": [{"name":"id","in":"path","required":true,"schema":{"type":"integer"}},
                   {"name":"q","in":"query","schema":{"type":"string"},"description":"of the path"}],
    "put": {"operationId":"update","summary":"Update","description":"Changes a user.",
      "parameters": [{"name":"q","in":"query","required":true,"schema":{"type":"number"},"description":"of the operation"},
                     {"name":"X-Trace","in":"header","schema":{"type":"string"}},
                     {"name":"Authorization","in":"header","required":true,"schema":{"type":"string"}}],
      "requestBody": {"required":true,"content":{"application/json":{"schema":{"type":"object","required":["name"],
        "properties":{"name":{"type":"string"},"id":{"type":"string"},"made":{"type":"string","readOnly":true}}}}}}}}})"));
  EXPECT_EQ(
      parameters_of(tools, "update"),
      R"({"type":"object","properties":{"q":{"type":"number","description":"of the operation"},)"
      R"("X-Trace":{"type":"string"},"id":{"type":"integer"},"name":{"type":"string"},"id_body":{"type":"string"}},)"
      R"("required":["q","id","name"],"additionalProperties":false})");
  const Tool* tool = find_tool(tools, "update");
  EXPECT_EQ(tool->spec().description, "Update. Changes a user.");
  const CallPreview preview =
      tool->preview(arguments_of(R"({"id":7,"q":1.5,"name":"n","id_body":"b","X-Trace":"t"})"));
  EXPECT_EQ(preview.words,
            (std::vector<std::string>{"PUT", "http://a.example/v1/users/7?q=1.5", "X-Trace: t"}));
  EXPECT_EQ(preview.input, R"({"name":"n","id":"b"})");
}

TEST(OpenApiOperationTest, NamesOperationsWithoutAnId) {
  const OpenApiTools tools =
      tools_of(description_with(R"({"/users/{user-id}/x.y": {"get":{}}, "/": {"post":{}}})"));
  EXPECT_EQ(words(tools, "get_users_user_id_x_y", R"({"user-id":"a"})").at(1),
            "http://a.example/v1/users/a/x.y");
  EXPECT_EQ(words(tools, "post", "{}").at(1), "http://a.example/v1/");
}

TEST(OpenApiOperationTest, GivesParametersNamesThatModelsCanWrite) {
  const OpenApiTools tools =
      tools_of(description_with(R"({"/{a b}/{a.b}": {"get":{"operationId":"x","parameters":[
    {"name":"page[limit]","in":"query","schema":{"type":"integer"}},{"name":"page limit ","in":"query","schema":{}}]}}})"));
  EXPECT_EQ(words(tools, "x", R"({"page_limit_":1,"page_limit__query":2,"a_b":"p","a_b_path":"q"})").at(1),
            "http://a.example/v1/p/q?page%5Blimit%5D=1&page%20limit%20=2");
}

TEST(OpenApiOperationTest, SendsBodiesThatAreNoObjectsWhole) {
  const OpenApiTools tools = tools_of(description_with(R"({"/x": {
    "post":{"operationId":"list","requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"array","items":{"type":"integer"}}}}}},
    "put":{"operationId":"maybe","requestBody":{"content":{"application/vnd.api+json; charset=utf-8":{"schema":{"type":"object"}}}}}}})"));
  EXPECT_EQ(find_tool(tools, "list")->preview(arguments_of(R"({"body":[1,2]})")).input, "[1,2]");
  EXPECT_EQ(find_tool(tools, "maybe")->preview({}).input, "");
  EXPECT_EQ(find_tool(tools, "maybe")->preview(arguments_of(R"({"body":{"a":1}})")).input, R"({"a":1})");
}

TEST(OpenApiOperationTest, LeavesOutWhatItCannotSend) {
  const OpenApiTools tools = tools_of(description_with(R"({
    "/a": {"post":{"operationId":"upload","requestBody":{"required":true,"content":{"multipart/form-data":{}}}}},
    "/b": {"get":{"operationId":"cookie","parameters":[{"name":"s","in":"cookie","required":true}]}},
    "/c": {"get":{"operationId":"elsewhere","servers":[{"url":"http://evil.example"}]}},
    "/d": {"get":{"operationId":"nameless","parameters":[{"in":"query"}]}},
    "/e": {"get":{"operationId":"lost","parameters":[{"$ref":"#/components/parameters/none"}]}},
    "/f": {"get":{"operationId":"remote","parameters":[{"name":"q","in":"query","schema":{"$ref":"http://evil.example/s.json"}}]}},
    "@evil.example/": {"get":{"operationId":"host"}},
    "/g?x": {"get":{"operationId":"query"}},
    "/h": {"get":{"operationId":"fine","parameters":[{"name":"s","in":"cookie"},{"name":"Host","in":"header"}]}}})"));
  EXPECT_EQ(tools.tools.size(), 1U);
  ASSERT_EQ(tools.skipped.size(), 8U);
  EXPECT_EQ(tools.skipped[0], "The operation upload is left out: its body is neither JSON nor a form.");
  EXPECT_NE(tools.skipped[1].find("cookie parameter s"), std::string::npos);
  EXPECT_NE(tools.skipped[5].find("http://evil.example/s.json"), std::string::npos);
  EXPECT_EQ(parameters_of(tools, "fine"),
            R"({"type":"object","properties":{},"required":[],"additionalProperties":false})");
}

TEST(OpenApiOperationTest, LetsNoDescriptionSetTheOperatorsHeaders) {
  const OpenApiTools tools = tools_of(
      description_with(
          R"({"/a": {"get":{"operationId":"x","parameters":[{"name":"x-api-key","in":"header","schema":{}}]}}})"),
      {.base_url = "http://a.example", .headers = {{"X-Api-Key", "k"}}});
  EXPECT_EQ(words(tools, "x", R"({"x-api-key":"mine"})").size(), 2U);
}

TEST(OpenApiOperationTest, CutsDescriptions) {
  const OpenApiTools tools = tools_of(description_with(
      R"({"/a": {"get":{"operationId":"x","summary":"\u001b[31m)" + std::string(5000, 'y') + "\"}}}"));
  EXPECT_EQ(find_tool(tools, "x")->spec().description, std::string(1000, 'y') + "\xE2\x80\xA6");
}

}  // namespace
}  // namespace parley::orchestration::tools
