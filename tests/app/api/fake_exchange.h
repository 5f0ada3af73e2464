#pragma once
// An exchange that keeps what a handler sends, and a call that serves one request. For one thread.

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "app/http/exchange.h"

namespace parley::app::api {

class FakeExchange : public http::Exchange {
 public:
  explicit FakeExchange(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  const http::Request& request() const override { return asked; }
  boost::asio::any_io_executor executor() const override { return executor_; }
  boost::asio::awaitable<void> respond(http::Response response) override {
    answer = std::move(response);
    co_return;
  }
  boost::asio::awaitable<void> begin_stream(http::Response response) override {
    answer = std::move(response);
    co_return;
  }
  boost::asio::awaitable<std::unique_ptr<http::WebSocket>> accept_web_socket(
      const http::WebSocketLimits&) override {
    co_return nullptr;
  }
  boost::asio::awaitable<void> send(std::string_view data) override {
    sent += data;
    co_return;
  }
  void watch_client(std::function<void()> callback) override { on_gone_ = std::move(callback); }
  bool client_gone() const override { return gone_; }

  void leave() {
    gone_ = true;
    if (on_gone_) on_gone_();
  }

  http::Request asked;
  http::Response answer;
  std::string sent;

 private:
  boost::asio::any_io_executor executor_;
  std::function<void()> on_gone_;
  bool gone_ = false;
};

// The whole answer of a handler, a stream as its body.
inline http::Response answer_of(boost::asio::io_context& io, http::Handler& handler, http::Request request) {
  FakeExchange exchange(io.get_executor());
  exchange.asked = std::move(request);
  std::exception_ptr failure;
  boost::asio::co_spawn(io, handler.handle(exchange),
                        [&failure](const std::exception_ptr& error) { failure = error; });
  io.restart();
  io.run();
  if (failure) std::rethrow_exception(failure);
  exchange.answer.body += exchange.sent;
  return std::move(exchange.answer);
}

inline http::Response answer_to_get(http::Handler& handler, const std::string& path) {
  boost::asio::io_context io;
  http::Request request;
  request.head.method = "GET";
  request.head.path = path;
  return answer_of(io, handler, std::move(request));
}

}  // namespace parley::app::api
