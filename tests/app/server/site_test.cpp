// Routes and access from outside.
#include "app/server/site.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "app/assets/assets.h"
#include "tests/app/server/running_server.h"
#include "tests/fakes/raw_client.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::HttpAnswer;
using tests::fakes::make_request;
using tests::fakes::RawClient;
using tests::fakes::RawWebSocket;

constexpr std::string_view kJson = "Content-Type: application/json\r\n";

HttpAnswer ask(std::uint16_t port, std::string_view method, std::string_view target,
               std::string_view fields = {}, std::string_view body = {}) {
  RawClient client(port);
  client.send(make_request(method, target, port, fields, body));
  return client.read_answer(method == "HEAD");
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

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

TEST(SiteTest, ServesThePageForTheUisOwnAddresses) {
  RunningServer server;
  EXPECT_EQ(ask(server.port(), "GET", "/c/0123?x=y").status, 200);
  EXPECT_EQ(ask(server.port(), "GET", "/assets/none.js").status, 404);
  EXPECT_EQ(ask(server.port(), "GET", "/%zz").status, 404);
  EXPECT_EQ(ask(server.port(), "GET", "/%00").status, 404);
}

TEST(SiteTest, SavesSendingAPageThatTheBrowserHas) {
  RunningServer server;
  const std::string tag = ask(server.port(), "GET", "/").fields.at("etag");
  const auto again = ask(server.port(), "GET", "/", "If-None-Match: W/\"x\", " + tag + "\r\n");
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(ask(server.port(), "GET", "/", "If-None-Match: \"other\"\r\n").status, 200);
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

TEST(SiteTest, ChecksWebSocketsBeforeTheyOpen) {
  RunningServer server;
  const std::string own = "http://localhost:" + std::to_string(server.port());
  EXPECT_EQ(RawWebSocket(server.port()).upgrade("/ws"), 101);
  EXPECT_EQ(RawWebSocket(server.port()).upgrade("/ws", "Origin: " + own + "\r\n"), 101);
  for (const std::string origin : {"null", "http://evil.example", "http://localhost", "ws://localhost"}) {
    EXPECT_EQ(RawWebSocket(server.port()).upgrade("/ws", "Origin: " + origin + "\r\n"), 403) << origin;
  }
  EXPECT_EQ(ask(server.port(), "GET", "/ws").status, 426);
  EXPECT_EQ(RawWebSocket(server.port()).upgrade("/"), 200);  // not a WebSocket's address
}

TEST(SiteTest, RefusesToBeReachedByOthersWithoutAKey) {
  ServerOptions options;
  options.host = "0.0.0.0";
  try {
    RunningServer server(options);
    FAIL() << "it listens";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(contains(error.what(), "0.0.0.0")) << error.what();
    EXPECT_TRUE(contains(error.what(), "PARLEY_ACCESS_KEY")) << error.what();
  }
  options.access_key = "long and random";
  RunningServer server(options);
  EXPECT_EQ(ask(server.port(), "GET", "/health", "Authorization: Bearer long and random\r\n").status, 200);
}

TEST(SiteTest, TellsHealthWhileLoading) {
  RunningServer server({}, Model::loading);
  server.on_io([&] { server.slot->set_progress(0.4); });
  const auto loading = ask(server.port(), "GET", "/health");
  EXPECT_EQ(loading.status, 503);
  EXPECT_EQ(loading.body, R"({"status":"loading","progress":0.4})");
  server.on_io([&] { server.slot->set_failed("The file is damaged."); });
  const auto failed = ask(server.port(), "GET", "/health");
  EXPECT_EQ(failed.status, 503);
  EXPECT_EQ(failed.body, R"({"status":"failed","error":"The file is damaged."})");
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

TEST(SiteTest, TellsMetrics) {
  RunningServer server;
  server.on_io([&] {
    server.stats.emplace();
    server.stats->running = 3;
    server.stats->total_blocks = 100;
    server.stats->referenced_blocks = 25;
    server.stats->generated_tokens = 12345;
    server.stats->finished[0] = 7;
  });
  ask(server.port(), "GET", "/v1/none");
  ask(server.port(), "POST", "/v1/completions", kJson, R"({"prompt":"a b c"})");
  const auto page = ask(server.port(), "GET", "/metrics");
  EXPECT_EQ(page.fields.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  for (const char* line :
       {"# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{model_name=\"echo\",engine=\"0\"} "
        "3\n",
        "vllm:kv_cache_usage_perc{model_name=\"echo\",engine=\"0\"} 0.25\n",
        "vllm:generation_tokens_total{model_name=\"echo\",engine=\"0\"} 12345\n",
        "vllm:request_success_total{model_name=\"echo\",engine=\"0\",finished_reason=\"stop\"} 7\n",
        "llamacpp:requests_processing{model_name=\"echo\",engine=\"0\"} 3\n",
        "vllm:time_to_first_token_seconds_count{model_name=\"echo\",engine=\"0\"} 1\n",
        "vllm:request_generation_tokens_sum{model_name=\"echo\",engine=\"0\"} 3\n",
        "parley_http_responses_total{code=\"404\"} 1\n", "parley_model_loaded 1\n", "\nparley_connections ",
        "process_resident_memory_bytes "}) {
    EXPECT_TRUE(contains(page.body, line)) << line << "\n" << page.body;
  }
}

TEST(SiteTest, ListsItsModel) {
  RunningServer server;
  const auto list = ask(server.port(), "GET", "/v1/models");
  EXPECT_TRUE(contains(list.body, R"({"object":"list","data":[{"id":"echo","object":"model","created":)"))
      << list.body;
  EXPECT_EQ(ask(server.port(), "GET", "/v1/models/echo").status, 200);
  EXPECT_EQ(ask(server.port(), "GET", "/v1/models/%65cho").status, 200);
  const auto other = ask(server.port(), "GET", "/v1/models/gpt-4");
  EXPECT_EQ(other.status, 404);
  EXPECT_TRUE(contains(other.body, "model_not_found"));
  EXPECT_TRUE(contains(other.body, "echo"));
}

TEST(SiteTest, DrainsOnStop) {
  RunningServer server;
  RawClient busy(server.port());
  busy.send(
      make_request("POST", "/v1/completions", server.port(), kJson, R"({"prompt":"!pause 50 !tokens 10"})"));
  EXPECT_TRUE(eventually([&] { return server.counters->num_alive == 1; }));
  RawWebSocket socket(server.port());
  ASSERT_EQ(socket.upgrade(), 101);
  server.stop(milliseconds(10'000));
  EXPECT_EQ(socket.read_close(), 1001);
  socket.client().reset();
  EXPECT_EQ(busy.read_answer().status, 200);
  EXPECT_TRUE(server.wait_until_stopped(milliseconds(3000)));
  EXPECT_THROW(RawClient{server.port()}, std::runtime_error);
}

TEST(SiteTest, CutsAnswersThatOutlastTheDrain) {
  RunningServer server;
  RawClient busy(server.port());
  busy.send(make_request("POST", "/v1/completions", server.port(), kJson,
                         R"({"prompt":"!pause 20 !tokens 10000","stream":true,"max_tokens":10000})"));
  busy.read_until("data: ");
  server.stop(milliseconds(50));
  EXPECT_TRUE(server.wait_until_stopped(milliseconds(3000)));
  EXPECT_EQ(server.counters->num_alive, 0);
  EXPECT_EQ(server.counters->num_cancelled, 1);
}

TEST(SiteLogTest, TellsTheOperatorThatWatchingTheModelFailed) {
  RunningServer server;
  server.stats_fail = true;
  const auto told = [&] { return server.on_io([&] { return server.log; }); };
  EXPECT_TRUE(eventually([&] { return !told().empty(); }));
  EXPECT_EQ(told(), std::vector<std::string>{"watching the model failed: no statistics"});
}

}  // namespace
}  // namespace parley::app::server
