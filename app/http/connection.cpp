#include "app/http/connection.h"

#include <exception>
#include <utility>
#include <variant>

#include <boost/asio/co_spawn.hpp>

#include "app/http/failure.h"

namespace parley::app::http {

namespace asio = boost::asio;

Connection::Connection(asio::ip::tcp::socket socket, const HttpLimits& limits, Dispatcher& dispatcher,
                       ReceiveBudgetPtr budget)
    : executor_(socket.get_executor()),
      limits_(limits),
      dispatcher_(dispatcher),
      budget_(std::move(budget)),
      transport_(std::move(socket), limits),
      reader_(transport_, limits, budget_),
      watch_ended_(executor_) {}

asio::awaitable<void> Connection::run() {
  int num_served = 0;
  bool more = true;
  while (more && !gone_) {
    more = co_await serve_next(num_served);
    ++num_served;
  }
  if (phase_ == Phase::upgraded) co_return;
  if (answered_last_ && !gone_) co_await transport_.close_gently();
  transport_.abort();
}

void Connection::finish() {
  finishing_ = true;
  if (reader_.idle()) transport_.cancel_read();
}

void Connection::abort() {
  finishing_ = true;
  client_left();
  if (abort_upgraded_) abort_upgraded_();
  transport_.abort();
}

// Nothing of the request before may show in the next one.
void Connection::prepare(int num_served) {
  request_ = Request();
  request_.head = reader_.head();
  host_.clear();
  phase_ = Phase::fresh;
  chunked_ = false;
  const std::string* wish = request_.head.find("Connection");
  const bool closes = wish != nullptr && has_token(*wish, "close");
  keep_alive_ = !request_.head.http_1_0 && !closes && num_served + 1 < limits_.max_requests;
}

// False: the connection has to end.
asio::awaitable<bool> Connection::serve_next(int num_served) {
  answered_last_ = false;
  if (finishing_) co_return false;
  const auto patience = num_served == 0 ? limits_.head_deadline : limits_.idle;
  auto read = co_await reader_.read_head(patience);
  if (std::holds_alternative<RequestReader::Closed>(read)) co_return false;
  if (auto* refusal = std::get_if<Refusal>(&read)) {
    keep_alive_ = false;
    co_await refuse(std::move(*refusal), nullptr);
    co_return false;
  }
  prepare(num_served);
  co_return co_await admit_and_answer();
}

asio::awaitable<bool> Connection::admit_and_answer() {
  auto admission = dispatcher_.admit(request_.head);
  if (auto* refusal = std::get_if<Refusal>(&admission)) {
    co_await refuse(std::move(*refusal), &request_.head);
    co_return keep_alive_;
  }
  host_ = *request_.head.find("Host");
  const Admission& admitted = std::get<Admission>(admission);
  auto body = co_await reader_.read_body(admitted.max_body);
  if (std::holds_alternative<RequestReader::Closed>(body)) co_return false;
  if (auto* refusal = std::get_if<Refusal>(&body)) {
    co_await refuse(std::move(*refusal), &request_.head);
    co_return false;
  }
  request_.body = std::move(std::get<std::string>(body));
  co_await answer(*admitted.handler);
  co_return keep_alive_ && !finishing_;
}

asio::awaitable<void> Connection::answer(Handler& handler) {
  std::string failure;
  try {  // the boundary of a request: one that fails is answered with 500 and told to the operator
    co_await handler.handle(*this);
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "unknown";
  }
  on_gone_ = nullptr;  // it may hold what the handler had
  try {
    co_await conclude(std::move(failure));
  } catch (const std::exception&) {  // thrown by the dispatcher; watch() must have ended all the same
    keep_alive_ = false;
  }
  co_await stop_watching();
}

asio::awaitable<void> Connection::conclude(std::string failure) {
  if (gone_) co_return;
  if (!failure.empty()) dispatcher_.on_failure(request_.head, failure);
  if (phase_ == Phase::fresh) {
    const Refusal refusal{500, "The server failed while it worked on this request; its log says more.", {}};
    co_await refuse(refusal, &request_.head);
  } else if (!failure.empty()) {
    keep_alive_ = false;  // what was begun cannot be finished truthfully
  } else if (phase_ == Phase::streaming && chunked_) {
    co_await write(std::string(kLastChunk));
  }
}

asio::awaitable<void> Connection::refuse(Refusal refusal, const RequestHead* head) {
  if (!reader_.body_done()) keep_alive_ = false;  // the rest of the body would look like the next request
  co_await respond(dispatcher_.render(refusal, head));
}

asio::awaitable<void> Connection::respond(Response response) {
  Framing framing;
  framing.content_length = response.body.size();
  if (response.status == 204 || response.status == 304) framing.content_length.reset();
  keep_alive_ = keep_alive_ && !finishing_;
  framing.keep_alive = keep_alive_;
  phase_ = Phase::answered;
  dispatcher_.on_response(response.status);
  std::string bytes = write_head(response, framing, host_);
  if (request_.head.method != "HEAD") bytes += response.body;
  co_await write(std::move(bytes));
}

asio::awaitable<void> Connection::begin_stream(Response response) {
  chunked_ = !request_.head.http_1_0;
  keep_alive_ = keep_alive_ && chunked_ && !finishing_;
  Framing framing;
  framing.chunked = chunked_;
  framing.keep_alive = keep_alive_;
  phase_ = Phase::streaming;
  dispatcher_.on_response(response.status);
  co_await write(write_head(response, framing, host_));
}

asio::awaitable<void> Connection::send(std::string_view data) {
  if (data.empty()) co_return;
  if (chunked_) {
    co_await write(write_chunk(data));
  } else {
    co_await write(std::string(data));
  }
}

asio::awaitable<void> Connection::write(std::string bytes) {
  if (gone_) co_return;
  answered_last_ = true;
  const bool taken = co_await transport_.write(bytes);
  if (!taken) client_left();
}

asio::awaitable<std::unique_ptr<WebSocket>> Connection::accept_web_socket(const WebSocketLimits& limits) {
  keep_alive_ = false;
  if (reader_.num_early_bytes() > kMaxEarlyFrameBytes) {
    Refusal refusal{400, "Wait for the answer to the WebSocket handshake before you send frames.", {}};
    co_await refuse(std::move(refusal), &request_.head);
    co_return nullptr;
  }
  phase_ = Phase::upgraded;
  dispatcher_.on_response(101);
  Upgrade upgrade;
  if (const std::string* key = request_.head.find("Sec-WebSocket-Key")) upgrade.key = *key;
  upgrade.early_bytes = reader_.take_early_bytes();
  auto accepted = co_await http::accept_web_socket(transport_.release(), std::move(upgrade), limits, budget_);
  abort_upgraded_ = std::move(accepted.abort);
  if (gone_ && abort_upgraded_) abort_upgraded_();  // the drain ended meanwhile
  co_return std::move(accepted.socket);
}

void Connection::client_left() {
  gone_ = true;
  if (on_gone_) std::exchange(on_gone_, nullptr)();
}

void Connection::watch_client(std::function<void()> callback) {
  on_gone_ = std::move(callback);
  watching_ = true;
  auto when_ended = [this](const std::exception_ptr& failure) {
    if (failure) dispatcher_.on_failure(request_.head, words_of(failure));
    watching_ = false;
    watch_ended_.notify();
  };
  asio::co_spawn(executor_, watch(), when_ended);
}

// Reads on, because only a read tells that the client has gone. What comes belongs to the next request.
asio::awaitable<void> Connection::watch() {
  bool here = true;
  while (here && on_gone_) here = co_await reader_.read_ahead();
  if (!here && on_gone_) client_left();
}

asio::awaitable<void> Connection::stop_watching() {
  on_gone_ = nullptr;
  transport_.cancel_read();
  while (watching_) co_await watch_ended_.wait();
}

}  // namespace parley::app::http
