#include "app/http/request_reader.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/http/receive_pace.h"

namespace parley::app::http {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::chrono::hours kNoLimit{24};
constexpr std::size_t kMaxBlankLines = 8;

milliseconds until(Clock::time_point end) {
  return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(end - Clock::now()));
}

}  // namespace

// An empty line before a request is left over from an older client's body. Above a few, the lines stay and
// are refused as a request line.
void RequestReader::skip_blank_lines(std::size_t& num_skipped) {
  std::size_t used = 0;
  for (; num_skipped < kMaxBlankLines && std::string_view(pending_).substr(used).starts_with("\r\n");
       ++num_skipped)
    used += 2;
  pending_.erase(0, used);
}

// A head that is complete in what was received, or wrong; nullopt: more bytes are needed.
std::optional<RequestReader::HeadResult> RequestReader::take_head(HeadScanner& scanner) {
  auto scanned = scanner.scan(pending_);
  if (std::holds_alternative<HeadScanner::NeedMore>(scanned)) return std::nullopt;
  if (auto* refusal = std::get_if<Refusal>(&scanned)) return HeadResult(std::move(*refusal));
  const std::size_t length = std::get<std::size_t>(scanned);
  const std::string head = pending_.substr(0, length);
  pending_.erase(0, length);
  parser_ = make_request_parser(limits_);
  if (auto refusal = parser_->parse_head(head)) return HeadResult(std::move(*refusal));
  return HeadResult(HeadRead{});
}

asio::awaitable<RequestReader::HeadResult> RequestReader::read_head(milliseconds patience) {
  parser_.reset();
  HeadScanner scanner(limits_);
  bool begun = !pending_.empty();
  auto end = Clock::now() + (begun ? limits_.head_deadline : patience);
  std::size_t num_skipped = 0;
  while (true) {
    skip_blank_lines(num_skipped);
    const bool half_a_line = pending_ == "\r";  // perhaps a blank one
    if (!half_a_line) {
      if (auto result = take_head(scanner)) co_return std::move(*result);
    }
    const bool nothing_yet = pending_.empty();
    waiting_ = true;
    const bool received = co_await transport_.read_some(pending_, until(end));
    waiting_ = false;
    if (!received) co_return head_timed_out(nothing_yet);
    if (!begun && !pending_.empty()) end = Clock::now() + limits_.head_deadline;  // once, blank lines or not
    begun = begun || !pending_.empty();
  }
}

RequestReader::HeadResult RequestReader::head_timed_out(bool nothing_yet) const {
  if (nothing_yet || !transport_.timed_out()) return Closed{};
  return Refusal{408, "The request's head did not arrive in time.", {}};
}

std::optional<RequestReader::BodyResult> RequestReader::take_body() {
  if (!parser_->done()) {
    auto fed = parser_->feed(pending_);
    if (auto* refusal = std::get_if<Refusal>(&fed)) return BodyResult(std::move(*refusal));
    pending_.erase(0, std::get<std::size_t>(fed));
  }
  if (!parser_->done()) return std::nullopt;
  return BodyResult(parser_->take_body());
}

asio::awaitable<RequestReader::BodyResult> RequestReader::read_body(std::size_t max_bytes) {
  if (auto refusal = parser_->limit_body(max_bytes)) co_return std::move(*refusal);
  if (pending_.empty() && !parser_->done() && head().find("Expect") != nullptr) {
    const bool sent = co_await transport_.write(kContinue);
    if (!sent) co_return Closed{};
  }
  ReceivePace pace(limits_.body_rate, Clock::now());
  UnfinishedBytes unfinished(budget_);
  bool has_room = unfinished.add(pending_.size());
  while (true) {
    if (auto result = take_body()) co_return std::move(*result);
    if (!has_room) co_return too_much_at_once();
    const std::size_t before = pending_.size();
    const bool received = co_await transport_.read_some(pending_, pace.left(Clock::now()));
    if (!received) co_return body_ended();
    const std::size_t num_received = pending_.size() - before;
    pace.take(num_received, Clock::now());
    has_room = unfinished.add(num_received);
  }
}

RequestReader::BodyResult RequestReader::body_ended() {
  parser_.reset();  // with all that came: the client may take its time with the answer
  if (!transport_.timed_out()) return Closed{};
  return Refusal{408, "The request's body arrives too slowly. Send it again over a faster connection.", {}};
}

RequestReader::BodyResult RequestReader::too_much_at_once() {
  parser_.reset();
  return Refusal{
      503,
      "The server is receiving too much from all its clients together. Send the request again in a moment.",
      {Field{"Retry-After", "10"}}};
}

asio::awaitable<bool> RequestReader::read_ahead() {
  if (pending_.size() > limits_.max_early_bytes) co_return false;
  co_return co_await transport_.read_some(pending_, kNoLimit);
}

}  // namespace parley::app::http
