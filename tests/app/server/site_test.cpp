// Routes and access from outside.
#include "app/server/site.h"

#include <gtest/gtest.h>

#include <string>

#include "app/assets/assets.h"
#include "tests/app/server/asking.h"
#include "tests/app/server/running_server.h"
#include "tests/fakes/raw_client.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::server {
namespace {

using tests::fakes::RawClient;
using tests::fakes::RawWebSocket;

TEST(SiteTest, ServesThePageOfTheUi) {
  RunningServer server;
  const auto page = ask(server.port(), "GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.fields.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.fields.at("cache-control"), "no-cache");
  EXPECT_EQ(page.body, std::string(assets::find_asset("/index.html")->bytes));
  EXPECT_TRUE(contains(page.fields.at("content-security-policy"),
                       "connect-src 'self' ws://localhost:" + std::to_string(server.port())));
  EXPECT_EQ(ask(server.port(), "HEAD", "/").fields.at("content-length"), std::to_string(page.body.size()));
}

TEST(SiteTest, AnswersMethodsThatARouteDoesNotTake) {
  RunningServer server;
  const auto put = ask(server.port(), "PUT", "/v1/models", kJson, "{}");
  EXPECT_EQ(put.status, 405);
  EXPECT_EQ(put.fields.at("allow"), "OPTIONS, GET, HEAD");
  EXPECT_TRUE(contains(put.body, "\"code\":\"method_not_allowed\""));
  EXPECT_EQ(ask(server.port(), "GET", "/v1/chat/completions").status, 405);
  EXPECT_EQ(ask(server.port(), "POST", "/", kJson, "{}").status, 405);
  EXPECT_EQ(ask(server.port(), "TRACE", "/").status, 405);
  const auto options = ask(server.port(), "OPTIONS", "/v1/chat/completions");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(options.fields.at("allow"), "OPTIONS, POST");
  EXPECT_EQ(options.fields.count("access-control-allow-origin"), 0u);
}

TEST(SiteTest, AnswersUnknownAddresses) {
  RunningServer server;
  for (const char* path : {"/v1", "/v1/", "/v1/none", "/v1/chat/completions/", "/v1/completions/x"}) {
    const auto answer = ask(server.port(), "GET", path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_TRUE(contains(answer.body, "{\"error\":{\"message\":")) << path;
    EXPECT_EQ(answer.fields.at("cache-control"), "no-store");
  }
}

TEST(SiteTest, TakesJsonOnly) {
  RunningServer server;
  for (const char* type :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/jsonx\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n", "Content-Type: multipart/form-data\r\n"}) {
    EXPECT_EQ(ask(server.port(), "POST", "/v1/completions", type, "{}").status, 415) << type;
  }
  EXPECT_EQ(ask(server.port(), "POST", "/v1/completions",
                "Content-Type: Application/JSON ; charset=utf-8\r\n", "{}")
                .status,
            400);
}

TEST(SiteTest, BoundsBodiesByRoute) {
  RunningServer server;
  const std::string large(2u << 20, ' ');
  EXPECT_EQ(ask(server.port(), "POST", "/v1/completions", kJson, large).status, 400);
  EXPECT_EQ(ask(server.port(), "POST", "/v1/completions", kJson, std::string((8u << 20) + 1, ' ')).status,
            413);
  EXPECT_EQ(ask(server.port(), "GET", "/health", "", "x").status, 413);
}

TEST(SiteTest, ChecksHostAndOriginOnEveryRoute) {
  RunningServer server;
  const std::string port = std::to_string(server.port());
  for (const char* path :
       {"/", "/v1/models", "/v1/chat/completions", "/health", "/metrics", "/ws", "/none"}) {
    RawClient rebound(server.port());
    rebound.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: evil.example:" + port + "\r\n\r\n");
    EXPECT_EQ(rebound.read_answer().status, 421) << path;
    EXPECT_EQ(ask(server.port(), "GET", path, "Origin: http://evil.example\r\n").status, 403) << path;
    EXPECT_EQ(ask(server.port(), "GET", path, "Sec-Fetch-Site: cross-site\r\n").status, 403) << path;
    EXPECT_EQ(ask(server.port(), "OPTIONS", path, "Origin: http://evil.example\r\n").status, 403) << path;
  }
  EXPECT_EQ(ask(server.port(), "GET", "/health", "Origin: http://localhost:" + port + "\r\n").status, 200);
}

TEST(SiteTest, AsksForTheKeyOnEveryRoute) {
  ServerOptions options;
  options.access_key = "k3y";
  RunningServer server(options);
  for (const char* path : {"/", "/index.html", "/assets/none.js", "/v1/models", "/v1/chat/completions",
                           "/v1/completions", "/v1/none", "/health", "/metrics", "/ws", "/none"}) {
    for (const char* method : {"GET", "POST", "HEAD", "OPTIONS", "PUT"}) {
      const auto without = ask(server.port(), method, path);
      EXPECT_EQ(without.status, 401) << method << " " << path;
      EXPECT_EQ(without.fields.at("www-authenticate"), "Bearer");
      EXPECT_EQ(ask(server.port(), method, path, "Authorization: Bearer k3\r\n").status, 401)
          << method << " " << path;
    }
  }
  EXPECT_EQ(ask(server.port(), "GET", "/health", "Authorization: Bearer k3y\r\n").status, 200);
  RawWebSocket socket(server.port());
  EXPECT_EQ(socket.upgrade("/ws"), 401);
  RawWebSocket with_key(server.port());
  EXPECT_EQ(with_key.upgrade("/ws", "Authorization: Bearer k3y\r\n"), 101);
}

TEST(SiteTest, TellsHealthOfTheEngine) {
  RunningServer server;
  EXPECT_EQ(ask(server.port(), "GET", "/health").body, R"({"status":"ok"})");
  server.on_io([&] {
    server.stats.emplace();
    server.stats->alive = false;
  });
  EXPECT_TRUE(eventually([&] { return ask(server.port(), "GET", "/health").status == 500; }));
  EXPECT_TRUE(contains(ask(server.port(), "GET", "/health").body, "Restart Parley"));
}

TEST(SiteTest, CountsForMetricsWhatItServes) {
  RunningServer server;
  server.on_io([&] { server.stats.emplace().running = 3; });
  ask(server.port(), "GET", "/v1/none");
  ask(server.port(), "POST", "/v1/completions", kJson, R"({"prompt":"a b c"})");
  const auto page = ask(server.port(), "GET", "/metrics");
  for (const char* line : {"vllm:num_requests_running{model_name=\"echo\",engine=\"0\"} 3\n",
                           "vllm:request_generation_tokens_sum{model_name=\"echo\",engine=\"0\"} 3\n",
                           "parley_http_responses_total{code=\"404\"} 1\n",
                           "parley_http_responses_total{code=\"200\"} 1\n", "\nparley_connections "}) {
    EXPECT_TRUE(contains(page.body, line)) << line << "\n" << page.body;
  }
}

TEST(SiteTest, ServesItsModelAndThoseBelow) {
  RunningServer server;
  for (const char* path : {"/v1/models", "/v1/models/echo", "/v1/models/%65cho"}) {
    EXPECT_EQ(ask(server.port(), "GET", path).status, 200) << path;
  }
}

}  // namespace
}  // namespace parley::app::server
