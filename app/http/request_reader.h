#pragma once
// Reads requests from a connection, one after the other, within its limits of size and time. One thread.
// Bad requests are Refusal values, a client that went is Closed.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <boost/asio/awaitable.hpp>

#include "app/http/head_scanner.h"
#include "app/http/limits.h"
#include "app/http/receive_budget.h"
#include "app/http/request.h"
#include "app/http/request_parser.h"
#include "app/http/transport.h"

namespace parley::app::http {

class RequestReader {
 public:
  struct Closed {};  // by the client, or idle for too long
  struct HeadRead {};
  using HeadResult = std::variant<HeadRead, Closed, Refusal>;
  using BodyResult = std::variant<std::string, Closed, Refusal>;

  RequestReader(Transport& transport, const HttpLimits& limits, ReceiveBudgetPtr budget)
      : transport_(transport), limits_(limits), budget_(std::move(budget)) {}

  // `patience`: for the first byte; then HttpLimits::head_deadline counts.
  boost::asio::awaitable<HeadResult> read_head(std::chrono::milliseconds patience);
  const RequestHead& head() const { return parser_->head(); }

  // The body of that request. What comes too slowly is refused with 408, what is too much together with what
  // other clients send with 503; its head is gone then.
  boost::asio::awaitable<BodyResult> read_body(std::size_t max_bytes);
  bool body_done() const { return parser_ != nullptr && parser_->done(); }

  // Waiting for a request of which nothing has come.
  bool idle() const { return waiting_ && pending_.empty(); }

  // Reads ahead while the request is being answered. False: the client closed its side, was cut off, or has
  // sent more than HttpLimits::max_early_bytes, or the read was cancelled.
  boost::asio::awaitable<bool> read_ahead();

  // What was sent behind the request at hand; for a WebSocket.
  std::size_t num_early_bytes() const { return pending_.size(); }
  std::string take_early_bytes() { return std::move(pending_); }

 private:
  void skip_blank_lines(std::size_t& num_skipped);
  std::optional<HeadResult> take_head(HeadScanner& scanner);
  HeadResult head_timed_out(bool nothing_yet) const;
  std::optional<BodyResult> take_body();
  BodyResult body_ended();
  BodyResult too_much_at_once();

  Transport& transport_;
  HttpLimits limits_;
  ReceiveBudgetPtr budget_;
  std::string pending_;  // received, not used yet
  std::unique_ptr<RequestParser> parser_;
  bool waiting_ = false;
};

}  // namespace parley::app::http
