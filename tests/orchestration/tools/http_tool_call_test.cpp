#include "orchestration/tools/http_tool_call.h"

#include <gtest/gtest.h>

#include "orchestration/fetch/request_rules.h"
#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {
namespace {

HttpCall call_of(const HttpToolConfig& config, std::string_view arguments) {
  return make_http_call(config, arguments_of(arguments));
}

std::string type_of(const HttpCall& call) {
  return std::string(fetch::header_value(call.headers, "content-type"));
}

TEST(HttpToolCallTest, SendsTheRestAsQueryOrAsJson) {
  HttpToolConfig config{.url = "http://a.example/{id}"};
  HttpCall call = call_of(config, R"({"id":1,"q":"x y","tags":["a","b"],"none":null})");
  EXPECT_EQ(call.url, "http://a.example/1?q=x%20y&tags=a&tags=b");
  EXPECT_EQ(call.body, "");
  EXPECT_EQ(type_of(call), "");
  for (const char* method : {"POST", "PUT", "PATCH"}) {
    config.method = method;
    call = call_of(config, R"({"id":1,"q":"x y","deep":{"a":[1,null]}})");
    EXPECT_EQ(call.url, "http://a.example/1");
    EXPECT_EQ(call.body, R"({"q":"x y","deep":{"a":[1,null]}})");
    EXPECT_EQ(type_of(call), "application/json");
  }
  config.method = "DELETE";
  EXPECT_EQ(call_of(config, R"({"id":1,"why":"old"})").url, "http://a.example/1?why=old");
  config.body = HttpBody::json;
  EXPECT_EQ(call_of(config, R"({"id":1,"why":"old"})").body, R"({"why":"old"})");
}

TEST(HttpToolCallTest, LeavesABodyThatMayBeAbsentOut) {
  const HttpToolConfig config{.method = "POST", .url = "http://a.example/", .body = HttpBody::json_if_any};
  EXPECT_EQ(call_of(config, "{}").body, "");
  EXPECT_EQ(type_of(call_of(config, "{}")), "");
  EXPECT_EQ(call_of(config, R"({"a":null})").body, R"({"a":null})");
}

TEST(HttpToolCallTest, AppendsToAQueryThatIsThere) {
  const HttpToolConfig config{.url = "http://a.example/?units=metric"};
  EXPECT_EQ(call_of(config, R"({"q":1})").url, "http://a.example/?units=metric&q=1");
}

TEST(HttpToolCallTest, SendsForms) {
  const HttpToolConfig config{.method = "POST", .url = "http://a.example/", .body = HttpBody::form};
  const HttpCall call = call_of(config, R"({"a":"1&b=2","c":["x","\u00e9"]})");
  EXPECT_EQ(call.body, "a=1%26b%3D2&c=x&c=%C3%A9");
  EXPECT_EQ(type_of(call), "application/x-www-form-urlencoded");
}

TEST(HttpToolCallTest, FillsATemplateWithTypedValues) {
  HttpToolConfig config{.method = "POST", .url = "http://a.example/", .body = HttpBody::filled};
  config.properties = {"title", "who", "n", "gone", "o"};
  config.body_template = json_of(
      R"({"title":"{title}","note":"by {who} \"{title}\"","n":"{n}","list":["{n}","{gone}",1],"gone":"{gone}","k":{"v":"{o}"}})");
  const HttpCall call = call_of(config, R"({"title":"a\"b","who":"me","n":3,"o":{"p":true},"extra":1})");
  EXPECT_EQ(call.body, R"({"title":"a\"b","note":"by me \"a\"b\"","n":3,"list":[3,1],"k":{"v":{"p":true}}})");
  EXPECT_EQ(call.url, "http://a.example/");
  config.body_template = "q={who}!";
  EXPECT_EQ(call_of(config, R"({"who":"{n}","n":1})").body, "q={n}!");
  EXPECT_EQ(type_of(call_of(config, "{}")), "text/plain; charset=utf-8");
}

TEST(HttpToolCallTest, LeavesBracesAloneThatNoParameterIsCalledIn) {
  HttpToolConfig config{.method = "POST", .url = "http://a.example/", .body = HttpBody::filled};
  config.properties = {"id", "q"};
  const auto sent = [&](const char* text) {
    config.body_template = json_of(text);
    return call_of(config, R"({"id":"7","q":"x","name":"not declared"})").body;
  };
  EXPECT_EQ(sent(R"({"query":"query($id: ID!) { user(id: $id) { name } }","variables":{"id":"{id}"}})"),
            R"({"query":"query($id: ID!) { user(id: $id) { name } }","variables":{"id":"7"}})");
  EXPECT_EQ(sent(R"({"query":"{user(id:{id}){name}}"})"), R"({"query":"{user(id:7){name}}"})");
  EXPECT_EQ(sent(R"({"a":"{{id}} is {id}","b":"{{name}}","c":"{{id}","d":"{","e":"{}{id"})"),
            R"({"a":"{id} is 7","b":"{{name}}","c":"{7","d":"{","e":"{}{id"})");
  EXPECT_EQ(sent(R"("{\"q\": \"{q}\"}")"), R"({"q": "x"})");
  EXPECT_EQ(type_of(call_of(config, "{}")), "text/plain; charset=utf-8");
}

TEST(HttpToolCallTest, PutsNamedArgumentsWhereTheyBelong) {
  HttpToolConfig config{.method = "POST", .url = "http://a.example/"};
  config.arguments = {{.name = "limit", .sent_as = "page[limit]", .place = HttpPlace::query},
                      {.name = "trace", .sent_as = "X-Trace", .place = HttpPlace::header},
                      {.name = "body_id", .sent_as = "id", .place = HttpPlace::body}};
  HttpCall call = call_of(config, R"({"limit":5,"trace":"t1","body_id":"x","other":2})");
  EXPECT_EQ(call.url, "http://a.example/?page%5Blimit%5D=5");
  EXPECT_EQ(call.body, R"({"id":"x","other":2})");
  EXPECT_EQ(call.argument_headers, (std::vector<fetch::Header>{{"X-Trace", "t1"}}));
  config.arguments = {{.name = "items", .sent_as = "", .place = HttpPlace::whole_body}};
  EXPECT_EQ(call_of(config, R"({"items":[1,2]})").body, "[1,2]");
}

TEST(HttpToolCallTest, LetsNoArgumentBreakAHeader) {
  HttpToolConfig config{.url = "http://a.example/"};
  config.arguments = {{.name = "trace", .sent_as = "X-Trace", .place = HttpPlace::header}};
  EXPECT_NE(call_of(config, R"({"trace":"a\r\nX-Evil: 1"})").problem.find("\"trace\""), std::string::npos);
  EXPECT_NE(call_of(config, R"({"trace":"a\u0000b"})").problem, "");
  EXPECT_EQ(call_of(config, R"({"trace":null})").argument_headers.size(), 0U);
}

TEST(HttpToolCallTest, KeepsWhatTheConfigurationSays) {
  HttpToolConfig config{.method = "POST", .url = "http://a.example/"};
  config.headers = {{"content-type", "application/vnd.x+json"}, {"ACCEPT", "text/csv"}};
  EXPECT_EQ(call_of(config, "{}").headers, config.headers);
}

}  // namespace
}  // namespace parley::orchestration::tools
