#pragma once
// One client's connection: reads requests, has them served one after the other, writes the answers.
// Lives on the I/O thread. Whatever the client does ends this connection only.

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "app/http/dispatcher.h"
#include "app/http/exchange.h"
#include "app/http/limits.h"
#include "app/http/receive_budget.h"
#include "app/http/request_reader.h"
#include "app/http/transport.h"
#include "orchestration/turn/wakeup.h"

namespace parley::app::http {

class Connection : public Exchange {
 public:
  Connection(boost::asio::ip::tcp::socket socket, const HttpLimits& limits, Dispatcher& dispatcher,
             ReceiveBudgetPtr budget);

  // Until the connection ends. The object outlives the coroutine.
  boost::asio::awaitable<void> run();

  bool idle() const { return reader_.idle(); }
  void finish();  // after the request at hand, at once when idle
  void abort();   // now, a WebSocket too

  const Request& request() const override { return request_; }
  boost::asio::any_io_executor executor() const override { return executor_; }
  boost::asio::awaitable<void> respond(Response response) override;
  boost::asio::awaitable<void> begin_stream(Response response) override;
  boost::asio::awaitable<std::unique_ptr<WebSocket>> accept_web_socket(
      const WebSocketLimits& limits) override;
  boost::asio::awaitable<void> send(std::string_view data) override;
  void watch_client(std::function<void()> callback) override;
  bool client_gone() const override { return gone_; }

 private:
  enum class Phase { fresh, streaming, answered, upgraded };

  boost::asio::awaitable<bool> serve_next(int num_served);
  boost::asio::awaitable<bool> admit_and_answer();
  boost::asio::awaitable<void> answer(Handler& handler);
  boost::asio::awaitable<void> conclude(std::string failure);
  boost::asio::awaitable<void> refuse(Refusal refusal, const RequestHead* head);
  boost::asio::awaitable<void> write(std::string bytes);
  boost::asio::awaitable<void> watch();
  boost::asio::awaitable<void> stop_watching();
  void prepare(int num_served);
  void client_left();

  boost::asio::any_io_executor executor_;
  HttpLimits limits_;
  Dispatcher& dispatcher_;
  ReceiveBudgetPtr budget_;
  Transport transport_;
  RequestReader reader_;

  Request request_;
  std::string host_;  // once it has been checked
  Phase phase_ = Phase::fresh;
  bool keep_alive_ = false;
  bool chunked_ = false;
  bool finishing_ = false;
  bool answered_last_ = false;  // the client may still be reading

  std::function<void()> abort_upgraded_;  // once there is a WebSocket
  std::function<void()> on_gone_;
  orchestration::turn::Wakeup watch_ended_;
  bool watching_ = false;
  bool gone_ = false;
};

}  // namespace parley::app::http
