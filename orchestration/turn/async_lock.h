#pragma once
// One coroutine at a time, in about the order they came. I/O thread only; no thread ever blocks on it.
// The lock outlives its guards. Never fails.

#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

class AsyncLock {
 public:
  // Move-only; lets go when destroyed.
  class Guard {
   public:
    explicit Guard(AsyncLock& lock) : lock_(&lock) {}
    ~Guard() { release(); }
    Guard(Guard&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)) {}
    Guard& operator=(Guard&& other) noexcept {
      std::swap(lock_, other.lock_);
      return *this;
    }

    void release() {
      if (AsyncLock* lock = std::exchange(lock_, nullptr)) lock->let_go();
    }

   private:
    AsyncLock* lock_;
  };

  explicit AsyncLock(const boost::asio::any_io_executor& executor) : freed_(executor) {}

  boost::asio::awaitable<Guard> acquire() {
    while (held_) co_await freed_.wait();
    held_ = true;
    co_return Guard(*this);
  }

 private:
  void let_go() {
    held_ = false;
    freed_.notify();
  }

  bool held_ = false;
  Wakeup freed_;
};

}  // namespace parley::orchestration::turn
