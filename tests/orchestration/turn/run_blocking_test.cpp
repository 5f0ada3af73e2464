#include "orchestration/turn/run_blocking.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;

TEST(RunBlocking, GivesBackValuesAndExceptions) {
  IoDriver io;
  asio::thread_pool pool(1);
  const auto here = std::this_thread::get_id();
  std::thread::id there;
  auto body = [&]() -> asio::awaitable<int> {
    auto work = [&] {
      there = std::this_thread::get_id();
      return 7;
    };
    const int value = co_await run_blocking(pool, work);
    EXPECT_TRUE(std::this_thread::get_id() == here);
    co_return value;
  };
  EXPECT_EQ(io.run(body()), 7);
  EXPECT_TRUE(there != here);
  auto failing = [&]() -> asio::awaitable<int> {
    auto work = []() -> int { throw std::runtime_error("no"); };
    co_return co_await run_blocking(pool, work);
  };
  EXPECT_THROW(io.run(failing()), std::runtime_error);
  pool.join();
}

TEST(RunBlocking, ACancelledCallerStillWaitsForTheWork) {
  IoDriver io;
  asio::thread_pool pool(1);
  std::atomic<bool> started = false;
  std::atomic<bool> go_on = false;
  bool ended = false;
  auto body = [&]() -> asio::awaitable<void> {
    auto work = [&] {
      started = true;
      while (!go_on) std::this_thread::yield();
    };
    co_await run_blocking(pool, work);
  };
  asio::cancellation_signal signal;
  asio::co_spawn(io.io(), body(),
                 asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr) { ended = true; }));
  io.run_until([&] { return started.load(); });
  asio::post(io.io(), [&] { signal.emit(asio::cancellation_type::all); });
  io.run_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(ended);
  go_on = true;
  io.run_until([&] { return ended; });
  pool.join();
}

}  // namespace
}  // namespace parley::orchestration::turn
