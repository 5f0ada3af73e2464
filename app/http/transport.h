#pragma once
// A TCP connection with time limits. One thread; one read and one write at a time. What goes wrong with a
// connection is expected: reads and writes say false, and the transport is finished then.

#include <chrono>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "app/http/deadline.h"
#include "app/http/limits.h"
#include "app/http/stall_guard.h"

namespace parley::app::http {

class Transport {
 public:
  Transport(boost::asio::ip::tcp::socket socket, const HttpLimits& limits);

  // Appends what comes next. False: closed by the client, failed, cancelled, or nothing came in time.
  boost::asio::awaitable<bool> read_some(std::string& into, std::chrono::milliseconds limit);
  // Whether the last read ended because its time was up.
  bool timed_out() const { return read_deadline_.expired(); }
  void cancel_read();

  // False: the client is gone, or took nothing for HttpLimits::write_stall.
  boost::asio::awaitable<bool> write(std::string_view bytes);

  // Ends our side and waits a moment for the client to read what was sent; abort() follows. Closing at once,
  // with unread input, would reset the connection.
  boost::asio::awaitable<void> close_gently();
  void abort();

  boost::asio::ip::tcp::socket release();  // for a WebSocket

 private:
  bool take_bytes(std::string& into);

  boost::asio::ip::tcp::socket socket_;
  HttpLimits limits_;
  boost::asio::cancellation_signal read_signal_;  // cancels a read and leaves a write alone
  Deadline read_deadline_;
  StallGuard write_guard_;
};

}  // namespace parley::app::http
