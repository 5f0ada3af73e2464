#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/orchestration/fetch/fetch_helper.h"

namespace parley::orchestration::fetch {
namespace {

using End = FetchResponse::End;
using std::chrono::milliseconds;

TEST(CurlFetcherTest, GivesStatusHeadersAndBody) {
  LocalServer server(
      always(http_answer("hello", "Content-Type: text/plain\r\nX-Two:  a b \r\n", "404 Not Found")));
  const FetchResponse response = fetched(request_to(server, "/a?b=c#fragment"));
  EXPECT_EQ(response.end, End::complete);
  EXPECT_EQ(response.error, "");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, "hello");
  EXPECT_FALSE(response.cut);
  EXPECT_EQ(response.url, server.origin() + "/a?b=c");
  EXPECT_EQ(response.headers.at(1), Header("content-type", "text/plain"));
  EXPECT_EQ(response.headers.at(2), Header("x-two", "a b"));
}

TEST(CurlFetcherTest, SendsMethodHeadersAndBodyAndNothingUnasked) {
  LocalServer server(always(http_answer("")));
  FetchRequest request = request_to(server, "/x");
  request.method = "PUT";
  request.headers = {{"Authorization", "Bearer k"}, {"Content-Type", "application/json"}, {"X-Empty", ""}};
  request.body = std::string("{\"a\":\0 1}", 9);
  EXPECT_EQ(fetched(request).status, 200);
  EXPECT_EQ(server.requests().at(0),
            "PUT /x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                "\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\nUser-Agent: Parley\r\n"
                "Authorization: Bearer k\r\nContent-Type: application/json\r\nX-Empty:\r\n"
                "Content-Length: 9\r\n\r\n" +
                request.body);
}

TEST(CurlFetcherTest, KnowsWhichMethodsHaveABody) {
  LocalServer server(always(http_answer("")));
  for (const char* method : {"GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH"}) {
    FetchRequest request = request_to(server);
    request.method = method;
    EXPECT_EQ(fetched(request).status, 200) << method;
    const std::string sent = server.requests().back();
    EXPECT_TRUE(sent.starts_with(method)) << sent;
    EXPECT_EQ(sent.find("Content-Length: 0") != std::string::npos, sent[0] == 'P') << sent;
    EXPECT_EQ(sent.find("Content-Type"), std::string::npos);
  }
  FetchRequest request = request_to(server);
  request.method = "DELETE";
  request.body = "why";
  fetched(request);
  EXPECT_TRUE(server.requests().back().ends_with("Content-Length: 3\r\n\r\nwhy"));
}

TEST(CurlFetcherTest, SendsALargeBodyWithoutAskingFirst) {
  LocalServer server(always(http_answer("")));
  FetchRequest request = request_to(server);
  request.method = "POST";
  request.body.assign(3 << 20, 'x');
  EXPECT_EQ(fetched(request).status, 200);
  EXPECT_EQ(server.requests().at(0).find("Expect"), std::string::npos);
  EXPECT_TRUE(server.requests().at(0).ends_with("\r\n\r\n" + request.body));
}

TEST(CurlFetcherTest, IgnoresProxiesOfTheEnvironment) {
  LocalServer proxy(always(http_answer("proxied")));
  LocalServer server(always(http_answer("direct")));
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::setenv(name, proxy.origin().c_str(), 1);
  const std::string body = fetched(request_to(server)).body;
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
  EXPECT_EQ(body, "direct");
  EXPECT_EQ(proxy.hits(), 0);
}

TEST(CurlFetcherTest, KeepsNoCookies) {
  LocalServer server(always(http_answer("", "Set-Cookie: a=b\r\n")));
  const auto fetcher = make_fetcher();
  fetcher->fetch(request_to(server));
  fetcher->fetch(request_to(server));
  EXPECT_EQ(server.requests().at(1).find("Cookie"), std::string::npos);
}

TEST(CurlFetcherTest, MakesAConnectionForEachRequest) {
  LocalServer server(always(http_answer("")));
  const auto fetcher = make_fetcher();
  for (int i = 0; i < 3; ++i) fetcher->fetch(request_to(server));
  EXPECT_EQ(server.hits(), 3);
}

TEST(CurlFetcherTest, TrustsAnOriginForOneRequestOnly) {
  LocalServer server(always(http_answer("")));
  const auto fetcher = make_fetcher();
  EXPECT_EQ(fetcher->fetch(request_to(server)).end, End::complete);
  EXPECT_EQ(fetcher->fetch(request_to(server.origin())).end, End::refused);
  EXPECT_EQ(server.hits(), 1);
}

TEST(CurlFetcherTest, RefusesRequestsThatCouldForgeAnother) {
  LocalServer server(always(http_answer("")));
  FetchRequest request = request_to(server);
  request.headers = {{"X-A", "b\r\nX-Evil: 1"}};
  EXPECT_EQ(fetched(request).end, End::refused);
  request.headers = {{"Content-Length", "0"}};
  EXPECT_NE(fetched(request).error.find("Content-Length"), std::string::npos);
  EXPECT_EQ(server.hits(), 0);
}

TEST(CurlFetcherTest, SaysWhatFailed) {
  std::string gone;
  {
    const LocalServer server(always(""));
    gone = server.origin();
  }
  FetchRequest request = request_to(gone);
  request.trusted_origins = {gone};
  FetchResponse response = fetched(request);
  EXPECT_EQ(response.end, End::failed);
  EXPECT_NE(response.error.find(gone + " could not be reached"), std::string::npos) << response.error;

  LocalServer silent(always(""));
  response = fetched(request_to(silent));
  EXPECT_EQ(response.end, End::failed);
  EXPECT_NE(response.error.find("without an answer"), std::string::npos) << response.error;

  LocalServer broken(always("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
  response = fetched(request_to(broken));
  EXPECT_EQ(response.end, End::failed);
  EXPECT_NE(response.error.find("broke off"), std::string::npos) << response.error;

  response = fetched(request_to("http://no-such-host.invalid/"));
  EXPECT_EQ(response.end, End::failed);
  EXPECT_NE(response.error.find("no-such-host.invalid could not be found"), std::string::npos)
      << response.error;
}

TEST(CurlFetcherTest, RefusesAnswersThatAreNotHttp) {
  for (const char* answer : {"SSH-2.0-OpenSSH\r\n", "hello", "HTTP/9.9 200 OK\r\n\r\n", "\0\0\0\0"}) {
    LocalServer server(always(answer));
    const FetchResponse response = fetched(request_to(server));
    EXPECT_EQ(response.end, End::failed) << answer;
    EXPECT_EQ(response.body, "") << answer;
  }
}

TEST(CurlFetcherTest, EndsAtTheDeadlineWhateverTheServerDoes) {
  const LocalServer::Answer never = [](Connection& connection, const std::string&) {
    connection.read_request();
  };
  const LocalServer::Answer drips = [](Connection& connection, const std::string&) {
    connection.write("HTTP/1.1 200 OK\r\n\r\n");
    while (connection.write("x")) std::this_thread::sleep_for(milliseconds(5));
  };
  const LocalServer::Answer head_drips = [](Connection& connection, const std::string&) {
    connection.write("HTTP/1.1 200 OK\r\nX: ");
    while (connection.write("x")) std::this_thread::sleep_for(milliseconds(5));
  };
  for (const auto& answer : {never, drips, head_drips}) {
    LocalServer server(answer);
    FetchRequest request = request_to(server);
    const auto begin = std::chrono::steady_clock::now();
    request.deadline = begin + milliseconds(200);
    const FetchResponse response = fetched(request);
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(response.end, End::timed_out);
    EXPECT_NE(response.error.find(server.origin()), std::string::npos);
    EXPECT_GE(took, milliseconds(200));
    EXPECT_LT(took, milliseconds(600));
  }
}

TEST(CurlFetcherTest, NeedsADeadline) {
  LocalServer server(always(http_answer("")));
  FetchRequest request = request_to(server);
  request.deadline = {};
  EXPECT_EQ(fetched(request).end, End::timed_out);
}

TEST(CurlFetcherTest, StopsWithin100Milliseconds) {
  const LocalServer server([](Connection& connection, const std::string&) { connection.read_request(); });
  std::stop_source source;
  FetchRequest request = request_to(server);
  request.stop = source.get_token();
  std::chrono::steady_clock::time_point stopped;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(200));
    stopped = std::chrono::steady_clock::now();
    source.request_stop();
  });
  const FetchResponse response = fetched(request);
  const auto returned = std::chrono::steady_clock::now();
  stopper.join();
  EXPECT_EQ(response.end, End::stopped);
  EXPECT_LT(returned - stopped, milliseconds(100));
}

TEST(CurlFetcherTest, StartsNothingWhenStoppedBefore) {
  LocalServer server(always(http_answer("")));
  std::stop_source source;
  source.request_stop();
  FetchRequest request = request_to(server);
  request.stop = source.get_token();
  EXPECT_EQ(fetched(request).end, End::stopped);
  EXPECT_EQ(server.hits(), 0);
}

TEST(CurlFetcherTest, ServesSeveralThreadsAtOnce) {
  LocalServer server([](Connection& connection, const std::string& request) {
    connection.write(http_answer(path_of(request)));
  });
  const auto fetcher = make_fetcher();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i) {
        const std::string path = "/" + std::to_string(thread) + "/" + std::to_string(i);
        right += fetcher->fetch(request_to(server, path)).body == path ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 60);
}

}  // namespace
}  // namespace parley::orchestration::fetch
