#pragma once
// One request and its answer, as handlers see them. Lives on the I/O thread. Writing to a client that has
// gone is no error: it does nothing, and client_gone() says so.

#include <functional>
#include <memory>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "app/http/request.h"
#include "app/http/response.h"
#include "app/http/web_socket.h"

namespace parley::app::http {

class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual const Request& request() const = 0;
  virtual boost::asio::any_io_executor executor() const = 0;

  // A handler does one of these three.
  virtual boost::asio::awaitable<void> respond(Response response) = 0;
  // Status and fields now, the body by send() until the handler returns. `response.body` is empty.
  virtual boost::asio::awaitable<void> begin_stream(Response response) = 0;
  // Nullptr when the handshake failed (the client has been told).
  virtual boost::asio::awaitable<std::unique_ptr<WebSocket>> accept_web_socket(
      const WebSocketLimits& limits) = 0;

  virtual boost::asio::awaitable<void> send(std::string_view data) = 0;

  // Calls `callback` on the I/O thread as soon as the client closes its side, resets, or sends more than
  // HttpLimits::max_early_bytes ahead of its answer, or the server gives up draining; not after the handler
  // has returned. Once per request, and not together with accept_web_socket().
  virtual void watch_client(std::function<void()> callback) = 0;
  virtual bool client_gone() const = 0;
};

class Handler {
 public:
  virtual ~Handler() = default;
  // An exception gives a 500 if nothing was sent, else ends the connection.
  virtual boost::asio::awaitable<void> handle(Exchange& exchange) = 0;
};

}  // namespace parley::app::http
