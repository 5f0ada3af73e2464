// The listener from outside: where it may listen, how it stops, what it tells the operator.
#include "app/server/server.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/app/server/asking.h"
#include "tests/app/server/running_server.h"
#include "tests/fakes/message_of.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::make_request;
using tests::fakes::RawClient;
using tests::fakes::RawWebSocket;

TEST(ServerTest, RefusesToBeReachedByOthersWithoutAKey) {
  ServerOptions options;
  options.host = "0.0.0.0";
  const std::string refusal = tests::fakes::message_of([&] { RunningServer server(options); });
  EXPECT_TRUE(contains(refusal, "0.0.0.0")) << refusal;
  EXPECT_TRUE(contains(refusal, "PARLEY_ACCESS_KEY")) << refusal;
  options.access_key = "long and random";
  RunningServer server(options);
  EXPECT_EQ(ask(server.port(), "GET", "/health", "Authorization: Bearer long and random\r\n").status, 200);
}

TEST(ServerTest, DrainsOnStop) {
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

TEST(ServerTest, CutsAnswersThatOutlastTheDrain) {
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

TEST(ServerTest, TellsTheOperatorThatWatchingTheModelFailed) {
  RunningServer server;
  server.stats_fail = true;
  const auto told = [&] { return server.on_io([&] { return server.log; }); };
  EXPECT_TRUE(eventually([&] { return !told().empty(); }));
  EXPECT_EQ(told(), std::vector<std::string>{"watching the model failed: no statistics"});
}

}  // namespace
}  // namespace parley::app::server
