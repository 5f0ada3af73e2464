#pragma once
// GET /ws: the handshake, then a Session until its end. Lives on the I/O thread;
// throws what ended a session.

#include <cstddef>
#include <set>

#include "app/http/exchange.h"
#include "app/server/session.h"

namespace parley::app::server {

class SocketHandler : public http::Handler {
 public:
  SocketHandler(const SessionContext& context, const http::WebSocketLimits& limits)
      : context_(context), limits_(limits) {}

  boost::asio::awaitable<void> handle(http::Exchange& exchange) override;

  void close_all();  // with 1001; new ones are closed at once from now on
  std::size_t num_sessions() const { return sessions_.size(); }

 private:
  const SessionContext& context_;
  http::WebSocketLimits limits_;
  std::set<Session*> sessions_;  // running ones; each leaves by itself
  bool closing_ = false;
};

}  // namespace parley::app::server
