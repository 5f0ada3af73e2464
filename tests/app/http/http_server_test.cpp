#include "app/http/http_server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/app/http/test_site.h"
#include "tests/fakes/raw_client.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;
using tests::fakes::make_request;
using tests::fakes::RawClient;

TEST(HttpServerTest, ListensOnIpv6) {
  for (const char* host : {"::1", "[::1]"}) {
    RunningSite site({}, {}, host);
    RawClient client(site.port(), "::1");
    client.send(make_request("POST", "/echo", site.port(), "", "six"));
    EXPECT_EQ(client.read_answer().body, "six");
  }
}

TEST(HttpServerTest, KnowsWhetherItIsReachedFromThisMachineOnly) {
  boost::asio::io_context io;
  const auto loopback = [&](const std::string& host) {
    return make_http_server(io.get_executor(), host, 0, HttpLimits{})->loopback_only();
  };
  EXPECT_TRUE(loopback("127.0.0.1"));
  EXPECT_TRUE(loopback("localhost"));
  EXPECT_TRUE(loopback("::1"));
  EXPECT_FALSE(loopback("0.0.0.0"));
}

TEST(HttpServerTest, StopsAtOnceWhenConnectionsIdle) {
  RunningSite site;
  RawClient idle(site.port());
  idle.send(make_request("POST", "/echo", site.port(), "", "x"));
  idle.read_answer();
  RawClient fresh(site.port());
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 2; }));
  site.stop(milliseconds(10'000));
  EXPECT_TRUE(site.wait_until_stopped(milliseconds(3000)));
  EXPECT_THROW(RawClient{site.port()}, std::runtime_error);
}

TEST(HttpServerTest, LetsAnAnswerEndWhileItDrains) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/big", site.port()));
  client.read_exactly(1000);
  site.stop(milliseconds(10'000));
  EXPECT_GT(client.read_to_end().size(), 32'000'000u);
  EXPECT_TRUE(site.wait_until_stopped(milliseconds(3000)));
}

TEST(HttpServerTest, CutsWhatOutlastsTheDrain) {
  RunningSite site;
  RawClient client(site.port());
  client.send(make_request("GET", "/endless", site.port()));
  client.read_until("\r\n\r\n");
  site.stop(milliseconds(100));
  EXPECT_FALSE(site.wait_until_stopped(milliseconds(50)));
  EXPECT_TRUE(site.wait_until_stopped(milliseconds(3000)));
  EXPECT_EQ(site.site().num_gone, 1);
}

TEST(HttpServerTest, CutsAWebSocketThatOutlastsTheDrain) {
  RunningSite site;
  tests::fakes::RawWebSocket socket(site.port());
  ASSERT_EQ(socket.upgrade(), 101);
  site.stop(milliseconds(200));
  EXPECT_FALSE(site.wait_until_stopped(milliseconds(100)));
  EXPECT_TRUE(site.wait_until_stopped(milliseconds(3000)));
  EXPECT_EQ(site.site().num_gone, 1);
}

TEST(HttpServerTest, MakesRoomByClosingTheLongestIdle) {
  HttpLimits limits;
  limits.max_connections = 3;
  RunningSite site(limits);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<RawClient>(site.port()));
    clients.back()->send(make_request("POST", "/echo", site.port(), "", "hi"));
    EXPECT_EQ(clients.back()->read_answer().body, "hi") << i;
  }
  EXPECT_LE(site.num_connections(), 3u);
  EXPECT_TRUE(clients.front()->is_closed_within(milliseconds(1000)));
}

TEST(HttpServerTest, KeepsBusyConnectionsWhenFull) {
  HttpLimits limits;
  limits.max_connections = 1;
  RunningSite site(limits);
  RawClient busy(site.port());
  busy.send(make_request("GET", "/endless", site.port()));
  busy.read_until("\r\n\r\n");
  RawClient waiting(site.port());
  waiting.send(make_request("POST", "/echo", site.port(), "", "later"));
  EXPECT_FALSE(waiting.is_closed_within(milliseconds(200)));
  busy.reset();
  EXPECT_EQ(waiting.read_answer().body, "later");
}

// Out of descriptors the accept fails; it must neither spin nor stop accepting for ever.
TEST(HttpServerTest, OutlivesALackOfDescriptors) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  RunningSite site;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 8; ++i) clients.push_back(std::make_unique<RawClient>(site.port()));
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 8; }));
  RawClient late_probe(site.port());
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 9; }));
  const rlimit none{3, before.rlim_max};
  const int late = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(site.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setrlimit(RLIMIT_NOFILE, &none);
  ASSERT_EQ(connect(late, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const std::clock_t begin = std::clock();
  std::this_thread::sleep_for(milliseconds(400));
  const double cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_LT(cpu_seconds, 0.1);
  EXPECT_TRUE(eventually([&] { return site.num_connections() == 10; }, milliseconds(1000)));
  ::close(late);
}

}  // namespace
}  // namespace parley::app::http
