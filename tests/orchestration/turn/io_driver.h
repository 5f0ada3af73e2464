#pragma once
// Runs an io_context from a test: until a coroutine has ended, or until something has become true.
// What takes longer than 20 seconds fails instead of hanging.

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace parley::orchestration::turn {

class IoDriver {
 public:
  boost::asio::io_context& io() { return io_; }
  boost::asio::any_io_executor executor() { return io_.get_executor(); }

  void run_until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done()) {
      if (io_.stopped()) io_.restart();
      io_.run_one_for(std::chrono::milliseconds(50));
      if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("took too long");
    }
  }

  void run_for(std::chrono::milliseconds time) {
    if (io_.stopped()) io_.restart();
    io_.run_for(time);
  }

  template <typename T>
  T run(boost::asio::awaitable<T> work) {
    std::optional<T> result;
    std::exception_ptr failure;
    boost::asio::co_spawn(io_, std::move(work), [&](std::exception_ptr error, T value) {
      failure = std::move(error);
      result.emplace(std::move(value));
    });
    run_until([&] { return result.has_value(); });
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
  }

  void run(boost::asio::awaitable<void> work) {
    bool done = false;
    std::exception_ptr failure;
    boost::asio::co_spawn(io_, std::move(work), [&](std::exception_ptr error) {
      failure = std::move(error);
      done = true;
    });
    run_until([&] { return done; });
    if (failure) std::rethrow_exception(failure);
  }

 private:
  boost::asio::io_context io_;
};

}  // namespace parley::orchestration::turn
