#pragma once
// Runs blocking work on a pool and comes back to the caller's executor. An exception thrown by the work is thrown
// again at the co_await. Takes an lvalue, so that no temporary lives across the suspension (style.md rule 12):
//   auto work = [id] { return store.find(id); };
//   auto found = co_await run_blocking(pool, work);

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <optional>
#include <type_traits>

namespace parley::orchestration::turn {

template <typename F>
boost::asio::awaitable<std::invoke_result_t<F&>> run_blocking_body(F& work) {
  co_return work();
}

template <typename F>
boost::asio::awaitable<std::invoke_result_t<F&>> run_blocking(boost::asio::thread_pool& pool, F& work) {
  auto body = run_blocking_body(work);
  co_return co_await boost::asio::co_spawn(pool, std::move(body), boost::asio::use_awaitable);
}

}  // namespace parley::orchestration::turn
