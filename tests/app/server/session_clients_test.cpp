// Clients that read slowly, or go.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/app/server/session_fixture.h"

namespace parley::app::server {
namespace {

using std::chrono::milliseconds;
using tests::fakes::RawWebSocket;
namespace turn = orchestration::turn;
using SessionClientsTest = SessionFixture;

TEST_F(SessionClientsTest, EndsWithoutAWordInTheLogWhenItsClientGoes) {
  ask(command("open", 1, kChat));
  socket_.client().reset();
  EXPECT_TRUE(comes_to_subscriptions(0));
  server_.stop(milliseconds(0));
  EXPECT_TRUE(server_.wait_until_stopped(milliseconds(3000)));
  EXPECT_EQ(server_.log.size(), 0u);
}

// The hub keeps what a slow client has not taken, merged; the socket holds a bounded amount.
TEST_F(SessionClientsTest, DoesNotQueueForASlowReader) {
  ask(command("open", 1, kChat));
  const std::string piece(100'000, 'x');
  for (int i = 0; i < 300; ++i) tell_delta(static_cast<std::size_t>(i) * piece.size(), piece);
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_untold(kChat); }) > 100; }));
  std::size_t received = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string frame = socket_.read_text().value_or("");
    received += frame.size();
  }
  EXPECT_GT(received, 300 * piece.size());
}

TEST_F(SessionClientsTest, EndsWhenItsClientGoesWhileItsOutboxIsFull) {
  ask(command("open", 1, kChat));
  for (int i = 0; i < 300; ++i) tell_delta(static_cast<std::size_t>(i) * 100'000, std::string(100'000, 'x'));
  EXPECT_TRUE(eventually([&] { return server_.on_io([&] { return server_.hub.num_untold(kChat); }) > 100; }));
  socket_.client().reset();
  EXPECT_TRUE(comes_to_subscriptions(0));
}

TEST(SlowClientTest, KeepsAClientThatTakesLongerThanASilentOneMayBe) {
  ServerOptions options;
  options.socket_limits.ping_after = milliseconds(400);
  options.socket_limits.dead_after = milliseconds(2000);
  options.socket_limits.write_stall = milliseconds(2000);
  RunningServer server(options);
  RawWebSocket socket(server.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.read_text();
  socket.send_text(command("open", 1, kChat));
  socket.read_text();
  const std::string large(8u << 20, 'x');
  server.on_io([&] { server.hub.tell(kChat, turn::TextDelta{kMessage, 1, 0, large}); });
  std::size_t received = 0;
  for (int i = 0; i < 50; ++i) {
    received += socket.client().read_exactly(128u << 10).size();
    std::this_thread::sleep_for(milliseconds(60));
  }
  EXPECT_LT(received, large.size());
  while (received < large.size()) {
    const std::size_t more = socket.client().read_exactly(1u << 10).size();
    if (more == 0) break;
    received += more;
  }
  EXPECT_GE(received, large.size());
}

// The newest state must come, also when it was reached while the one before waited for room.
TEST(SlowClientTest, TellsTheLastStateToASlowReader) {
  RunningServer server({}, Model::loading);
  RawWebSocket socket(server.port());
  ASSERT_EQ(socket.upgrade(), 101);
  socket.read_text();
  socket.send_text(command("open", 1, kChat));
  socket.read_text();
  const std::string piece(100'000, 'x');
  server.on_io([&] {
    for (std::size_t i = 0; i < 300; ++i)
      server.hub.tell(kChat, turn::TextDelta{kMessage, 1, i * piece.size(), piece});
  });
  std::this_thread::sleep_for(milliseconds(300));
  for (const double progress : {0.25, 0.5}) {
    server.on_io([&] { server.slot->set_progress(progress); });
    std::this_thread::sleep_for(milliseconds(600));
  }
  socket.client().set_patience(milliseconds(1500));
  bool told = false;
  while (!told) {
    const auto frame = socket.read_text();
    if (!frame) break;
    told = frame->find(R"("progress":0.5,)") != std::string::npos;
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace parley::app::server
