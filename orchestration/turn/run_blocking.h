#pragma once
// Runs blocking work on a pool and comes back to the caller's executor. An exception thrown by the work is
// thrown again at the co_await. Takes an lvalue, so that no temporary lives across the suspension (see
// "Coroutines" in docs/developing.md):
//   auto work = [id] { return store.find(id); };
//   auto found = co_await run_blocking(pool, work);
// Cancelling the caller does not cut the wait short: the work cannot be stopped, and it uses the caller's
// frame. For the same reason a pool is joined before the io_context whose coroutines wait for it is
// destroyed.

#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace parley::orchestration::turn {

// g++ 12 with sanitizers takes the coroutine frame's own operator new and delete for a mismatched pair.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

template <typename F>
boost::asio::awaitable<std::invoke_result_t<F&>> run_blocking_body(F& work) {
  co_return work();
}

template <typename F>
boost::asio::awaitable<std::invoke_result_t<F&>> run_blocking(boost::asio::thread_pool& pool, F& work) {
  auto body = run_blocking_body(work);
  // Without a slot: Asio would hand a cancellation to the pool's thread, unordered with the end of the work.
  auto token =
      boost::asio::bind_cancellation_slot(boost::asio::cancellation_slot(), boost::asio::use_awaitable);
  co_return co_await boost::asio::co_spawn(pool, std::move(body), token);
}

#pragma GCC diagnostic pop

}  // namespace parley::orchestration::turn
