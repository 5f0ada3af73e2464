#include "orchestration/turn/async_lock.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "orchestration/turn/run_blocking.h"
#include "tests/orchestration/turn/io_driver.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;

asio::awaitable<void> hold_and_note(AsyncLock& lock, asio::thread_pool& pool, int name,
                                    std::vector<int>& notes) {
  auto guard = co_await lock.acquire();
  notes.push_back(name);
  auto work = [] {};
  co_await run_blocking(pool, work);
  notes.push_back(name);
}

TEST(AsyncLock, LetsOneInAtATime) {
  IoDriver io;
  asio::thread_pool pool(2);
  AsyncLock lock(io.executor());
  std::vector<int> notes;
  for (int i = 0; i < 20; ++i) asio::co_spawn(io.io(), hold_and_note(lock, pool, i, notes), asio::detached);
  io.run_until([&] { return notes.size() == 40; });
  for (std::size_t i = 0; i < 40; i += 2) EXPECT_EQ(notes[i], notes[i + 1]);
  pool.join();
}

TEST(AsyncLock, AWaiterThatIsCancelledLeavesTheLockToOthers) {
  IoDriver io;
  AsyncLock lock(io.executor());
  auto guard = io.run([](AsyncLock& l) -> asio::awaitable<std::optional<AsyncLock::Guard>> {
    auto held = co_await l.acquire();
    co_return std::optional<AsyncLock::Guard>(std::move(held));
  }(lock));
  asio::cancellation_signal signal;
  bool failed = false;
  auto waiter = [](AsyncLock& l) -> asio::awaitable<void> { auto held = co_await l.acquire(); };
  asio::co_spawn(io.io(), waiter(lock),
                 asio::bind_cancellation_slot(signal.slot(),
                                              [&](std::exception_ptr error) { failed = error != nullptr; }));
  io.io().poll();
  asio::post(io.io(), [&] { signal.emit(asio::cancellation_type::all); });
  io.run_until([&] { return failed; });
  guard.reset();
  io.run(waiter(lock));
}

}  // namespace
}  // namespace parley::orchestration::turn
