#include "orchestration/tools/http_tool.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/orchestration/tools/http_fixture.h"

namespace parley::orchestration::tools {
namespace {

using fetch::http_answer;
using fetch::LocalServer;
using Status = ToolResult::Status;

HttpToolConfig ticket_at(const LocalServer& server) {
  HttpToolConfig config{.method = "POST", .url = server.origin() + "/tickets/{id}"};
  config.headers = {{"Authorization", "Bearer secret"}};
  return config;
}

TEST(HttpToolTest, SendsWhatThePreviewSaid) {
  LocalServer server(always(http_answer("{ \"ok\": true }", "Content-Type: application/json\r\n")));
  const auto tool = http_tool(ticket_at(server), R"({"id":{},"text":{}})");
  const auto arguments = R"({"id":"a/b","text":"hello"})";
  const CallPreview preview = tool->preview(arguments_of(arguments));
  EXPECT_EQ(preview.kind, "request");
  EXPECT_EQ(preview.words, (std::vector<std::string>{"POST", server.origin() + "/tickets/a%2Fb"}));
  EXPECT_EQ(preview.input, R"({"text":"hello"})");
  EXPECT_EQ(server.hits(), 0);

  const ToolResult result = called(*tool, arguments);
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.text, "{\"ok\":true}");
  const std::string sent = server.requests().at(0);
  EXPECT_TRUE(sent.starts_with("POST /tickets/a%2Fb HTTP/1.1\r\n"));
  EXPECT_NE(sent.find("Authorization: Bearer secret\r\n"), std::string::npos);
  EXPECT_NE(sent.find("Content-Type: application/json\r\n"), std::string::npos);
  EXPECT_TRUE(sent.ends_with("\r\n\r\n" + preview.input));
}

TEST(HttpToolTest, ShowsArgumentsInHeadersButNoSecrets) {
  LocalServer server(always(http_answer("")));
  HttpToolConfig config = ticket_at(server);
  config.arguments = {{.name = "trace", .sent_as = "X-Trace", .place = HttpPlace::header}};
  const auto tool = http_tool(config, R"({"id":{},"trace":{}})");
  const CallPreview preview = tool->preview(arguments_of(R"({"id":1,"trace":"t"})"));
  EXPECT_EQ(preview.words.at(2), "X-Trace: t");
  EXPECT_EQ(preview.words.size(), 3U);
}

TEST(HttpToolTest, SendsNothingWhenAnArgumentCannotBePlaced) {
  LocalServer server(always(http_answer("")));
  const auto tool = http_tool(ticket_at(server), R"({"id":{}})");
  const ToolResult result = called(*tool, R"({"id":".."})");
  EXPECT_EQ(result.status, Status::error);
  EXPECT_NE(result.text.find("\"id\""), std::string::npos);
  EXPECT_NE(tool->preview(arguments_of(R"({"id":".."})")).words.at(2).find("will not be sent"),
            std::string::npos);
  EXPECT_EQ(server.hits(), 0);
}

TEST(HttpToolTest, ReachesPrivateAddressesOnlyWhereTheOperatorWroteThem) {
  LocalServer server(always(http_answer("in")));
  HttpToolConfig config = ticket_at(server);
  EXPECT_EQ(called(*http_tool(config, R"({"id":{}})"), R"({"id":1})").text, "in");
  config.url_author = UrlAuthor::somebody_else;
  const ToolResult result = called(*http_tool(config, R"({"id":{}})"), R"({"id":1})");
  EXPECT_EQ(result.status, Status::error);
  EXPECT_NE(result.text.find("not an address of the public internet"), std::string::npos);
  EXPECT_EQ(server.hits(), 1);
}

TEST(HttpToolTest, EndsAtItsOwnTimeOutOrTheCalls) {
  const LocalServer server(
      [](fetch::Connection& connection, const std::string&) { connection.read_request(); });
  HttpToolConfig config{.url = server.origin() + "/"};
  const auto begin = std::chrono::steady_clock::now();
  config.timeout = std::chrono::milliseconds(100);
  EXPECT_EQ(called(*http_tool(config), "{}").status, Status::timed_out);
  config.timeout = std::chrono::seconds(60);
  const auto slow = http_tool(config);
  EXPECT_EQ(slow->run({}, context_for(std::chrono::milliseconds(100))).status, Status::timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(HttpToolTest, StopsWithTheCall) {
  const LocalServer server(
      [](fetch::Connection& connection, const std::string&) { connection.read_request(); });
  const auto tool = http_tool({.url = server.origin() + "/"});
  std::stop_source source;
  CallContext context = context_for(std::chrono::seconds(60));
  context.stop = source.get_token();
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  EXPECT_EQ(tool->run({}, context).status, Status::cancelled);
  stopper.join();
}

TEST(HttpToolTest, CutsAtItsLimit) {
  LocalServer server(always(http_answer(std::string(5000, 'x'), "Content-Type: text/plain\r\n")));
  const ToolResult result = called(*http_tool({.url = server.origin() + "/", .max_output = 1000}), "{}");
  const std::string half(500, 'x');
  EXPECT_EQ(result.text, half + "\n\xE2\x80\xA6 4000 bytes cut \xE2\x80\xA6\n" + half);
  EXPECT_EQ(result.cut_bytes, 4000U);
}

TEST(HttpToolTest, SaysWhyThereCanBeNoSuchTool) {
  const auto problem = [](const HttpToolConfig& config) {
    auto made = make_http_tool(spec_with(R"({"id":{}})"), config, fetch::make_fetcher());
    return std::holds_alternative<std::string>(made) ? std::get<std::string>(made) : std::string();
  };
  EXPECT_EQ(problem({.url = "http://a.example/{id}"}), "");
  EXPECT_NE(problem({.url = "http://a.example/{name}"}).find("{name}"), std::string::npos);
  EXPECT_NE(problem({.url = "http://{id}/"}).find("host"), std::string::npos);
  EXPECT_NE(problem({.method = "get", .url = "http://a.example/"}).find("method"), std::string::npos);
  EXPECT_NE(problem({.url = "http://a.example/", .headers = {{"Host", "x"}}}).find("Host"),
            std::string::npos);
}

TEST(HttpToolTest, HasAHashOfAllThatDecidesWhatACallDoes) {
  const HttpToolConfig base{.url = "http://a.example/{id}"};
  const auto hash = [](const HttpToolConfig& config, std::string_view properties = R"({"id":{}})") {
    return http_tool(config, properties)->spec().definition_hash;
  };
  EXPECT_EQ(hash(base).size(), 64U);
  EXPECT_EQ(hash(base), hash(base));
  std::vector<HttpToolConfig> others(5, base);
  others[0].method = "DELETE";
  others[1].url += "/all";
  others[2].headers = {{"X", "y"}};
  others[3].body = HttpBody::form;
  others[4].arguments = {{.name = "id", .sent_as = "ID", .place = HttpPlace::query}};
  for (const HttpToolConfig& other : others) EXPECT_NE(hash(other), hash(base));
  EXPECT_NE(hash(base, R"({"id":{"type":"string"}})"), hash(base));
}

}  // namespace
}  // namespace parley::orchestration::tools
