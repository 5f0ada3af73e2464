#include "app/http/deadline.h"

#include <gtest/gtest.h>

#include <optional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace parley::app::http {
namespace {

using std::chrono::milliseconds;

TEST(DeadlineTest, CallsWhenTimeIsUp) {
  boost::asio::io_context io;
  int calls = 0;
  Deadline deadline(io.get_executor(), [&] { ++calls; });
  deadline.arm(milliseconds(1));
  io.run();
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(deadline.expired());
}

TEST(DeadlineTest, CallsOnceForTheLastArming) {
  boost::asio::io_context io;
  int calls = 0;
  Deadline deadline(io.get_executor(), [&] { ++calls; });
  deadline.arm(milliseconds(1));
  deadline.arm(milliseconds(5));
  io.run();
  EXPECT_EQ(calls, 1);
}

TEST(DeadlineTest, DoesNotCallOnceDisarmedEvenIfTimeIsUpAlready) {
  boost::asio::io_context io;
  int calls = 0;
  Deadline deadline(io.get_executor(), [&] { ++calls; });
  deadline.arm(milliseconds(0));
  boost::asio::post(io, [&] { deadline.disarm(); });
  io.run();
  EXPECT_EQ(calls, 0);
  EXPECT_FALSE(deadline.expired());
}

TEST(DeadlineTest, MayGoBeforeItsTime) {
  boost::asio::io_context io;
  int calls = 0;
  std::optional<Deadline> deadline;
  deadline.emplace(io.get_executor(), [&] { ++calls; });
  deadline->arm(milliseconds(0));
  deadline.reset();
  io.run();
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace parley::app::http
