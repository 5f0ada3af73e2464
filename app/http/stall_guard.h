#pragma once
// Calls something when a client takes nothing of what is being sent to it for so long, between one and two
// limits; a slow client that goes on taking bytes is left alone. For the socket's thread; the socket outlives
// it. Never fails.

#include <chrono>
#include <cstdint>
#include <functional>

#include <boost/asio/ip/tcp.hpp>

#include "app/http/deadline.h"

namespace parley::app::http {

class StallGuard {
 public:
  StallGuard(boost::asio::ip::tcp::socket& socket, std::function<void()> on_stall);

  void arm(std::chrono::milliseconds limit);  // a write begins
  void disarm();                              // it has ended

 private:
  void look();

  boost::asio::ip::tcp::socket& socket_;
  std::function<void()> on_stall_;
  std::chrono::milliseconds limit_{0};
  std::uint64_t bytes_taken_ = 0;
  Deadline deadline_;
};

}  // namespace parley::app::http
