#pragma once
// An exchange that keeps what a handler sends. For one thread.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>

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

}  // namespace parley::app::api
