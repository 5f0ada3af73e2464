#include "orchestration/tools/openapi.h"

#include <gtest/gtest.h>

#include "tests/orchestration/tools/openapi_fixture.h"

namespace parley::orchestration::tools {
namespace {

using fetch::http_answer;
using fetch::LocalServer;
using fetch::path_of;

std::string description_at(const std::string& server) {
  return R"({"openapi":"3.1.0","servers":[{"url":")" + server +
         R"("}],"paths":{"/x":{"get":{"operationId":"x"}}}})";
}

std::string target(const std::string& server, const OpenApiOptions& options = {}) {
  const OpenApiTools tools = tools_of(description_at(server), options);
  return tools.tools.empty() ? tools.problem : tools.tools[0]->preview({}).words.at(1);
}

OpenApiTools fetched_from(const std::string& url, const OpenApiOptions& given = {}) {
  OpenApiOptions options = given;
  options.document_url = url;
  return fetch_openapi(options, fetch::make_fetcher(),
                       std::chrono::steady_clock::now() + std::chrono::seconds(10), {});
}

TEST(OpenApiTest, FindsTheServer) {
  EXPECT_EQ(target("http://a.example/v1/"), "http://a.example/v1/x");
  EXPECT_EQ(target("/v2", {.document_url = "http://a.example:81/docs/openapi.json"}),
            "http://a.example:81/v2/x");
  EXPECT_EQ(target("v3", {.document_url = "http://a.example/docs/openapi.json"}),
            "http://a.example/docs/v3/x");
  EXPECT_EQ(target("http://a.example", {.base_url = "https://b.example/api/"}), "https://b.example/api/x");
  const OpenApiOptions at_a{.document_url = "http://a.example/openapi.json"};
  EXPECT_EQ(
      tools_of(R"({"openapi":"3.1.0","paths":{"/x":{"get":{}}}})", at_a).tools.at(0)->preview({}).words.at(1),
      "http://a.example/x");
  EXPECT_EQ(
      tools_of(
          R"({"openapi":"3.0.1","servers":[{"url":"https://{r}.a.example/{v}","variables":{"r":{"default":"eu"},"v":{"default":"v1"}}}],
    "paths":{"/x":{"get":{}}}})")
          .tools.at(0)
          ->preview({})
          .words.at(1),
      "https://eu.a.example/v1/x");
}

TEST(OpenApiTest, SaysThatThereIsNoServer) {
  EXPECT_NE(target("/v1").find("baseUrl"), std::string::npos);
  EXPECT_NE(target("ftp://a.example").find("baseUrl"), std::string::npos);
  EXPECT_NE(target("http://a.example/?x=1").find("query"), std::string::npos);
}

TEST(OpenApiTest, GivesCredentialsToNoHostThatOnlyTheDescriptionNames) {
  const OpenApiOptions secret{.document_url = "http://a.example/openapi.json",
                              .headers = {{"Authorization", "Bearer k"}}};
  EXPECT_EQ(target("http://a.example/v1", secret), "http://a.example/v1/x");
  for (const char* server :
       {"http://evil.example", "https://a.example", "http://a.example:81", "//evil.example"}) {
    EXPECT_NE(target(server, secret).find("credentials"), std::string::npos) << server;
  }
  OpenApiOptions named = secret;
  named.base_url = "http://evil.example";
  EXPECT_EQ(target("http://evil.example", named), "http://evil.example/x");
}

TEST(OpenApiTest, ReachesNoPrivateAddressThatOnlyTheDescriptionNames) {
  LocalServer inner(always(http_answer("inner")));
  LocalServer outer([&](fetch::Connection& connection, const std::string&) {
    connection.write(http_answer(description_at(inner.origin())));
  });
  const OpenApiTools tools = fetched_from(outer.origin() + "/openapi.json");
  ASSERT_EQ(tools.tools.size(), 1U) << tools.problem;
  const ToolResult result = called(*tools.tools[0], "{}");
  EXPECT_EQ(result.status, ToolResult::Status::error);
  EXPECT_NE(result.text.find("not an address of the public internet"), std::string::npos);
  EXPECT_EQ(inner.hits(), 0);
}

TEST(OpenApiTest, FetchesWithCredentialsAndCallsTheSameServer) {
  LocalServer server([](fetch::Connection& connection, const std::string& request) {
    connection.write(http_answer(path_of(request) == "/openapi.json" ? description_at("/api") : "called"));
  });
  const OpenApiTools tools =
      fetched_from(server.origin() + "/openapi.json", {.headers = {{"Authorization", "Bearer k"}}});
  ASSERT_EQ(tools.tools.size(), 1U) << tools.problem;
  EXPECT_EQ(called(*tools.tools[0], "{}").text, "called");
  ASSERT_EQ(server.requests().size(), 2U);
  for (const std::string& request : server.requests()) {
    EXPECT_NE(request.find("Authorization: Bearer k"), std::string::npos);
  }
}

TEST(OpenApiTest, ShowsCredentialsForAnotherHostToNoHostOfDescriptions) {
  LocalServer documents(always(http_answer(description_at("/api"))));
  LocalServer server(always(http_answer("called")));
  const OpenApiTools tools =
      fetched_from(documents.origin() + "/openapi.json",
                   {.base_url = server.origin(), .headers = {{"Authorization", "Bearer k"}}});
  ASSERT_EQ(tools.tools.size(), 1U) << tools.problem;
  EXPECT_EQ(called(*tools.tools[0], "{}").text, "called");
  EXPECT_EQ(documents.requests().at(0).find("Authorization"), std::string::npos);
  EXPECT_NE(server.requests().at(0).find("Authorization: Bearer k"), std::string::npos);
}

TEST(OpenApiTest, SaysWhyADescriptionCannotBeHad) {
  LocalServer missing(always(http_answer("", "", "404 Not Found")));
  EXPECT_NE(fetched_from(missing.origin() + "/openapi.json").problem.find("HTTP status 404"),
            std::string::npos);
  EXPECT_NE(fetched_from("http://no-such-host.invalid/x").problem.find("could not be found"),
            std::string::npos);
}

TEST(OpenApiTest, ChoosesOperationsByPatternAndPrefixesNames) {
  const std::string document =
      description_with(R"({"/a":{"get":{"operationId":"get_a"},"post":{"operationId":"post_a"}},
    "/b":{"get":{"operationId":"get_b"},"delete":{"operationId":"get.odd"}}})");
  const auto names = [&](const OpenApiOptions& options) {
    std::string all;
    for (const auto& tool : tools_of(document, options).tools) all += tool->spec().name + " ";
    return all;
  };
  EXPECT_EQ(names({}), "get_a post_a get_b get_odd ");
  EXPECT_EQ(names({.include = {"get_*"}}), "get_a get_b ");
  EXPECT_EQ(names({.include = {"get*"}, .exclude = {"*_b"}}), "get_a get_odd ");
  EXPECT_EQ(names({.prefix = "shop", .include = {"get_a"}}), "shop_get_a ");
}

TEST(OpenApiTest, KeepsTheFirstOfTwoWithOneName) {
  const OpenApiTools tools = tools_of(
      description_with(R"({"/a":{"get":{"operationId":"x.y"}},"/b":{"get":{"operationId":"x_y"}}})"));
  EXPECT_EQ(tools.tools.size(), 1U);
  EXPECT_EQ(tools.skipped.at(0), "The operation x_y is left out: another operation has this name.");
}

TEST(OpenApiTest, RefusesWhatIsNoDescriptionOfAKnownVersion) {
  const auto problem = [](std::string_view document) { return tools_of(document).problem; };
  EXPECT_NE(problem("").find("not JSON"), std::string::npos);
  EXPECT_NE(problem("openapi: 3.0.0\npaths: {}\n").find("YAML"), std::string::npos);
  EXPECT_NE(problem("[]"), "");
  EXPECT_NE(problem("{").find("cannot be read"), std::string::npos);
  EXPECT_NE(problem(R"({"swagger":"2.0","paths":{}})").find("Swagger 2"), std::string::npos);
  EXPECT_NE(problem(R"({"openapi":"4.0.0","paths":{}})"), "");
  EXPECT_NE(problem(R"({"openapi":"3.1.0"})").find("paths"), std::string::npos);
  EXPECT_NE(problem(R"({"openapi":3.1,"paths":{}})"), "");
  EXPECT_NE(problem(R"({"openapi":"3.1.0","paths":{},"paths":{}})").find("twice"), std::string::npos);
  EXPECT_NE(problem(R"({"openapi":"3.1.0","x":)" + std::string(300, '[') + std::string(300, ']') + "}")
                .find("deeper"),
            std::string::npos);
}

TEST(OpenApiTest, BoundsHowManyToolsThereAre) {
  std::string paths = "{";
  for (int i = 0; i < 1000; ++i) paths += (i > 0 ? ",\"/" : "\"/") + std::to_string(i) + R"(":{"get":{}})";
  const OpenApiTools tools = tools_of(description_with(paths + "}"));
  EXPECT_EQ(tools.tools.size(), 256U);
  EXPECT_EQ(tools.skipped.size(), 101U);
}

// Wherever a value of a wrong kind stands, the description is read without harm.
TEST(OpenApiTest, BearsValuesOfEveryKindEverywhere) {
  const std::string document = golden_description();
  ASSERT_GT(document.size(), 1000U);
  const OpenApiOptions options{.base_url = "http://a.example"};
  int changed = 0;
  for (const char* key : {"paths", "parameters", "schema", "requestBody", "content", "application/json", "in",
                          "name", "required", "type", "properties", "items", "anyOf", "$ref", "operationId",
                          "get", "/tickets", "description", "components"}) {
    for (const char* value : {"null", "1", "\"x\"", "[]", "[{}]", "{}", "{\"$ref\":\"#/paths\"}", "true"}) {
      std::string text = document;
      const std::string quoted = std::string("\"") + key + "\": ";
      for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at)) {
        at += quoted.size();
        text.insert(at, std::string(value) + ", \"moved" + std::to_string(++changed) + "\": ");
      }
      for (const auto& tool : tools_of(text, options).tools) tool->preview({});
    }
  }
  EXPECT_GT(changed, 1000);
}

}  // namespace
}  // namespace parley::orchestration::tools
