// GET /ws from outside.
#include "app/server/socket_handler.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/app/server/asking.h"
#include "tests/app/server/running_server.h"
#include "tests/fakes/raw_web_socket.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::RawWebSocket;

TEST(SocketHandlerTest, ChecksWebSocketsBeforeTheyOpen) {
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

TEST(SocketHandlerTest, CountsItsSocketsUntilTheyEnd) {
  RunningServer server;
  const auto num_sockets = [&] {
    const std::string page = ask(server.port(), "GET", "/metrics").body;
    const std::string name = "\nparley_websockets ";
    return page.substr(page.find(name) + name.size(), 1);
  };
  EXPECT_EQ(num_sockets(), "0");
  RawWebSocket first(server.port());
  ASSERT_EQ(first.upgrade(), 101);
  ASSERT_TRUE(first.read_text());
  EXPECT_EQ(num_sockets(), "1");
  first.client().reset();
  EXPECT_TRUE(eventually([&] { return num_sockets() == "0"; }));
}

TEST(SocketHandlerTest, ClosesEverySocketWhenTheServerStops) {
  RunningServer server;
  RawWebSocket one(server.port()), two(server.port());
  for (RawWebSocket* socket : {&one, &two}) {
    ASSERT_EQ(socket->upgrade(), 101);
    ASSERT_TRUE(socket->read_text());
  }
  server.stop(milliseconds(5000));
  EXPECT_EQ(one.read_close(), 1001);
  EXPECT_EQ(two.read_close(), 1001);
}

}  // namespace
}  // namespace parley::app::server
