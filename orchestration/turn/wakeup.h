#pragma once
// Lets coroutines of one thread wait until something may have changed; they look again themselves:
//   while (!ready) co_await changed.wait();
// I/O thread only. A wait ends early when its coroutine is cancelled; the next co_await then throws, as
// always.

#include <chrono>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace parley::orchestration::turn {

class Wakeup {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Wakeup(const boost::asio::any_io_executor& executor)
      : timer_(std::make_shared<boost::asio::steady_timer>(executor, TimePoint::max())) {}

  // Wakes all that wait now.
  void notify() { timer_->cancel(); }

  boost::asio::awaitable<void> wait() {
    auto timer = timer_;
    co_await timer->async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }

  // Also ends at `deadline`.
  boost::asio::awaitable<void> wait_until(TimePoint deadline) {
    auto timer = timer_;
    boost::asio::steady_timer alarm(timer->get_executor(), deadline);
    alarm.async_wait([timer](const boost::system::error_code& error) {
      if (!error) timer->cancel();
    });
    co_await timer->async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }

 private:
  // Shared with the waits, which may outlive this object.
  std::shared_ptr<boost::asio::steady_timer> timer_;
};

}  // namespace parley::orchestration::turn
