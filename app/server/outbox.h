#pragma once
// Frames on their way to one socket: many writers, one reader, and a bound. A writer waits while the bound is
// reached, so that whoever produces frames (the hub) merges them meanwhile. I/O thread; never fails.

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/wakeup.h"

namespace parley::app::server {

class Outbox {
 public:
  Outbox(const boost::asio::any_io_executor& executor, std::size_t max_bytes)
      : max_bytes_(max_bytes), changed_(executor) {}

  // Until less than the bound is queued, so one frame may go beyond it.
  boost::asio::awaitable<void> wait_for_room();
  void put(std::string frame);  // dropped once closed
  // The next frame; nullopt: closed.
  boost::asio::awaitable<std::optional<std::string>> pop();
  // What is queued is dropped.
  void close();

 private:
  std::size_t max_bytes_;
  std::size_t num_bytes_ = 0;
  std::deque<std::string> frames_;
  bool closed_ = false;
  orchestration::turn::Wakeup changed_;
};

}  // namespace parley::app::server
