#pragma once
// Lets coroutines of one thread wait for something that other code of that thread makes true:
//   while (!ready_) co_await ready_event_.wait();
// A notify() before the wait is not remembered, so the condition is the caller's. Never fails.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace parley::app::http {

class Event {
 public:
  explicit Event(const boost::asio::any_io_executor& executor)
      : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

  // Ends at the next notify(), or when the waiting coroutine is cancelled.
  boost::asio::awaitable<void> wait() {
    boost::system::error_code ignored;
    co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  }

  void notify() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
};

}  // namespace parley::app::http
