// What FastAPI, the framework most descriptions come from, says about an application (tests/goldens/openapi).
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/orchestration/tools/openapi_fixture.h"

namespace parley::orchestration::tools {
namespace {

using Status = ToolResult::Status;

OpenApiTools described() { return tools_of(golden_description(), {.base_url = "http://a.example"}); }

TEST(FastApiTest, MakesAToolOfEachOperationThatCanBeSent) {
  const OpenApiTools tools = described();
  std::string names;
  for (const auto& tool : tools.tools) names += tool->spec().name + " ";
  EXPECT_EQ(
      names,
      "list_tickets_tickets_get replace_ticket_projects__project__tickets__id__put comment set_tags login "
      "delete_ticket whoami note ");
  ASSERT_EQ(tools.skipped.size(), 2U);
  EXPECT_EQ(tools.skipped[0], "The operation upload is left out: its body is neither JSON nor a form.");
  EXPECT_EQ(
      tools.skipped[1],
      "The operation session is left out: it needs the cookie parameter session, which cannot be sent.");
}

TEST(FastApiTest, TellsParametersWithTheirBounds) {
  const OpenApiTools tools = described();
  EXPECT_EQ(find_tool(tools, "list_tickets_tickets_get")->spec().description,
            "List tickets. Finds tickets by words in their title.");
  EXPECT_EQ(
      parameters_of(tools, "list_tickets_tickets_get"),
      R"({"type":"object","properties":{"q":{"type":"string"},)"
      R"("page_limit_":{"type":"integer","maximum":100,"minimum":1,"default":10},)"
      R"("tag":{"type":"array","items":{"type":"string"},"description":"All of these","default":[]},)"
      R"("x-trace":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["q"],"additionalProperties":false})");
}

TEST(FastApiTest, MergesABodyWithNestedModels) {
  EXPECT_EQ(parameters_of(described(), "replace_ticket_projects__project__tickets__id__put"),
            R"({"type":"object","properties":{"project":{"type":"string"},"id":{"type":"integer"},)"
            R"("dry_run":{"type":"boolean","default":false},)"
            R"("title":{"type":"string","description":"What is wrong, in one line"},)"
            R"("priority":{"type":"string","enum":["low","high"],"default":"low"},)"
            R"("tags":{"items":{"type":"string"},"type":"array","default":[]},)"
            R"("reporter":{"properties":{"name":{"type":"string","minLength":1,"description":"Full name"},)"
            R"("email":{"anyOf":[{"type":"string"},{"type":"null"}]}},"type":"object","required":["name"]},)"
            R"("id_body":{"type":"integer","exclusiveMaximum":1e+06,"exclusiveMinimum":0}},)"
            R"("required":["project","id","title","reporter","id_body"],"additionalProperties":false})");
}

// PARLEY_FASTAPI_URL=http://127.0.0.1:PORT with `fastapi_app.py serve PORT` running.
class FastApiServerTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* url = std::getenv("PARLEY_FASTAPI_URL");
    if (url == nullptr) GTEST_SKIP() << "PARLEY_FASTAPI_URL is not set: nothing was called.";
    const OpenApiOptions options{.document_url = std::string(url) + "/openapi.json",
                                 .headers = {{"Authorization", "Bearer secret"}}};
    tools_ = fetch_openapi(options, fetch::make_fetcher(),
                           std::chrono::steady_clock::now() + std::chrono::seconds(10), {});
    ASSERT_EQ(tools_.problem, "");
  }
  ToolResult call(std::string_view name, std::string_view arguments) {
    return called(*find_tool(tools_, name), arguments);
  }

  OpenApiTools tools_;
};

TEST_F(FastApiServerTest, CallsTheRealServer) {
  EXPECT_EQ(call("list_tickets_tickets_get",
                 R"({"q":"M\u00fcll & Co/..","page_limit_":5,"tag":["a b","c"],"x-trace":"t"})")
                .text,
            "{\"q\":\"M\xC3\xBCll & Co/..\",\"limit\":5,\"tags\":[\"a b\",\"c\"],\"trace\":\"t\"}");
  EXPECT_EQ(
      call("replace_ticket_projects__project__tickets__id__put",
           R"({"project":"p?x#y%","id":3,"id_body":4,"title":"T","reporter":{"name":"N"},"dry_run":true})")
          .text,
      R"({"project":"p?x#y%","path_id":3,"ticket":{"title":"T","priority":"low","tags":[],)"
      R"("reporter":{"name":"N","email":null},"id":4},"dry_run":true})");
  EXPECT_EQ(call("comment", R"({"id":1,"text":"a","answers":[{"text":"b","answers":[]}]})").text,
            R"({"id":1,"tree":{"text":"a","answers":[{"text":"b","answers":[]}]}})");
  EXPECT_EQ(call("set_tags", R"({"body":["x","y"]})").text, R"(["x","y"])");
  EXPECT_EQ(call("login", R"({"user":"a&b=c","password":"p w","scopes":["r","w"]})").text,
            R"({"user":"a&b=c","length":3,"scopes":["r","w"]})");
  EXPECT_EQ(call("whoami", "{}").text, R"({"token":"secret"})");
  EXPECT_EQ(call("note", R"({"name":"you"})").text,
            "Gr\xC3\xBC\xC3\x9F"
            "e von you\n");
  EXPECT_EQ(call("delete_ticket", R"({"id":1})").text,
            "The server answered with HTTP status 204 and no content.");
}

TEST_F(FastApiServerTest, TellsTheModelWhatWasWrong) {
  const ToolResult missing = call("delete_ticket", R"({"id":404})");
  EXPECT_EQ(missing.status, Status::error);
  EXPECT_EQ(missing.text,
            "The server answered with HTTP status 404. It says: {\"detail\":\"No such ticket\"}");
  const ToolResult bad = call("list_tickets_tickets_get", R"({"q":"x","page_limit_":1000})");
  EXPECT_NE(bad.text.find("HTTP status 422"), std::string::npos);
  EXPECT_NE(bad.text.find("less than or equal to 100"), std::string::npos) << bad.text;
}

}  // namespace
}  // namespace parley::orchestration::tools
