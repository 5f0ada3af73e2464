#include "app/server/command_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace parley::app::server {
namespace {

namespace asio = boost::asio;
using Kind = CommandQueue::Kind;
using PlacePtr = std::unique_ptr<CommandQueue::Place>;

asio::awaitable<void> wait_for(CommandQueue::Place& place, std::string name, std::string& begun) {
  co_await place.wait_for_turn();
  begun += name;
}

asio::awaitable<void> wait_for_room(CommandQueue& queue, std::size_t commands, std::size_t bytes,
                                    bool& has_room) {
  co_await queue.wait_until_below(commands, bytes);
  has_room = true;
}

class CommandQueueTest : public testing::Test {
 protected:
  PlacePtr add(const std::string& name, const std::string& conversation, Kind kind, std::size_t bytes = 0) {
    CommandQueue::Entry entry;
    entry.conversation = conversation;
    entry.kind = kind;
    entry.num_bytes = bytes;
    auto place = std::make_unique<CommandQueue::Place>(queue_, std::move(entry));
    asio::co_spawn(io_, wait_for(*place, name, begun_), asio::detached);
    return place;
  }
  // The names of those whose turn has come, in that order.
  std::string begun() {
    io_.restart();
    io_.poll();
    return begun_;
  }

  asio::io_context io_;
  CommandQueue queue_{io_.get_executor()};
  std::string begun_;
};

TEST_F(CommandQueueTest, DoesOneAfterAnother) {
  auto a = add("a", "x", Kind::changes);
  auto b = add("b", "y", Kind::looks);
  auto c = add("c", "", Kind::changes);
  EXPECT_EQ(begun(), "a");
  a.reset();
  EXPECT_EQ(begun(), "ab");
  b.reset();
  EXPECT_EQ(begun(), "abc");
}

TEST_F(CommandQueueTest, GoesOnBesideAnEnd) {
  auto stop = add("s", "x", Kind::ends);
  auto list = add("l", "", Kind::changes);
  auto other = add("o", "y", Kind::changes);
  EXPECT_EQ(begun(), "sl");
  list.reset();
  EXPECT_EQ(begun(), "slo");
}

TEST_F(CommandQueueTest, KeepsChangesOfTheConversationBehindItsEnd) {
  auto stop = add("s", "x", Kind::ends);
  auto change = add("c", "x", Kind::changes);
  auto behind = add("b", "x", Kind::looks);
  auto other = add("o", "y", Kind::changes);
  EXPECT_EQ(begun(), "so") << "what waits holds up what is behind it of its conversation only";
  other.reset();
  stop.reset();
  EXPECT_EQ(begun(), "soc");
  change.reset();
  EXPECT_EQ(begun(), "socb");
}

TEST_F(CommandQueueTest, LooksAtAConversationWhileItsAnswerEnds) {
  auto stop = add("s", "x", Kind::ends);
  auto open = add("o", "x", Kind::looks);
  EXPECT_EQ(begun(), "so");
}

TEST_F(CommandQueueTest, EndsBehindWhatCameBefore) {
  auto send = add("a", "x", Kind::changes);
  auto stop = add("s", "x", Kind::ends);
  EXPECT_EQ(begun(), "a") << "a stop right after a question stops its answer";
  send.reset();
  EXPECT_EQ(begun(), "as");
  auto again = add("t", "x", Kind::ends);
  auto elsewhere = add("e", "y", Kind::ends);
  EXPECT_EQ(begun(), "ase");
  stop.reset();
  EXPECT_EQ(begun(), "aset");
}

TEST_F(CommandQueueTest, HasRoomForSoMany) {
  bool has_room = false;
  auto first = add("a", "x", Kind::changes, 10);
  auto second = add("b", "x", Kind::changes, 10);
  asio::co_spawn(io_, wait_for_room(queue_, 2, 100, has_room), asio::detached);
  begun();
  EXPECT_FALSE(has_room);
  first.reset();
  begun();
  EXPECT_TRUE(has_room);
  bool has_bytes = false;
  asio::co_spawn(io_, wait_for_room(queue_, 2, 10, has_bytes), asio::detached);
  begun();
  EXPECT_FALSE(has_bytes);
  second.reset();
  begun();
  EXPECT_TRUE(has_bytes);
}

}  // namespace
}  // namespace parley::app::server
