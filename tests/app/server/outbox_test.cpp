#include "app/server/outbox.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace parley::app::server {
namespace {

namespace asio = boost::asio;

asio::awaitable<void> push(Outbox& outbox, std::string frame, int& done) {
  co_await outbox.wait_for_room();
  outbox.put(std::move(frame));
  ++done;
}

asio::awaitable<void> pop(Outbox& outbox, std::vector<std::string>& out, int count) {
  for (int i = 0; i < count; ++i) {
    auto frame = co_await outbox.pop();
    out.push_back(frame.value_or("closed"));
  }
}

TEST(OutboxTest, GivesFramesInOrderAndHoldsWritersBackAtTheBound) {
  asio::io_context io;
  Outbox outbox(io.get_executor(), 10);
  int done = 0;
  for (const char* frame : {"aaaa", "bbbb", "cccc", "dddd"})
    asio::co_spawn(io, push(outbox, frame, done), asio::detached);
  io.poll();
  EXPECT_EQ(done, 3);  // one frame may go beyond the bound
  std::vector<std::string> out;
  asio::co_spawn(io, pop(outbox, out, 4), asio::detached);
  io.restart();
  io.poll();
  EXPECT_EQ(out, (std::vector<std::string>{"aaaa", "bbbb", "cccc", "dddd"}));
  EXPECT_EQ(done, 4);
}

TEST(OutboxTest, WakesEverybodyWhenItIsClosed) {
  asio::io_context io;
  Outbox outbox(io.get_executor(), 1);
  int done = 0;
  std::vector<std::string> out;
  outbox.put("full");
  asio::co_spawn(io, push(outbox, "dropped", done), asio::detached);
  io.poll();
  outbox.close();
  asio::co_spawn(io, pop(outbox, out, 1), asio::detached);
  io.restart();
  io.poll();
  EXPECT_EQ(done, 1);
  EXPECT_EQ(out, std::vector<std::string>{"closed"});
}

}  // namespace
}  // namespace parley::app::server
