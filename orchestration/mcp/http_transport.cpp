#include "orchestration/mcp/http_transport.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <variant>

#include "orchestration/mcp/exchange_threads.h"
#include "orchestration/mcp/http_body.h"
#include "orchestration/mcp/http_requests.h"
#include "orchestration/mcp/message.h"
#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using End = fetch::FetchResponse::End;
using std::chrono::milliseconds;

constexpr std::size_t kMaxStreamBytes = std::size_t{256} << 20;
constexpr std::chrono::hours kLongest{24};
constexpr std::chrono::seconds kNoticeLimit{10};  // for what has no answer
constexpr std::chrono::seconds kGoodbyeLimit{2};
constexpr milliseconds kShortestRetry{100};
constexpr milliseconds kFirstRetry{1000};
constexpr milliseconds kLastRetry{60000};

enum class Opens : std::uint8_t { nothing, session };

bool has_answer(std::string_view text) {
  const std::vector<Message> messages = parse_messages(text);
  return std::any_of(messages.begin(), messages.end(),
                     [](const Message& message) { return std::holds_alternative<Answer>(message); });
}

std::string status_words(int status, const std::string& body) {
  std::string words = "HTTP status " + std::to_string(status);
  if (status == 401 || status == 403) words += ", check the headers with which it is to be asked";
  const std::string line = plain_line(body, 200);
  return line.empty() ? words : words + ": " + line;
}

void sleep_for(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_for(lock, stop, time, [] { return false; });
}

// Before a stream is asked for again: as the server wishes, and longer and longer while its streams bring
// nothing.
class StreamPause {
 public:
  milliseconds next(std::optional<milliseconds> wish, bool has_brought) {
    if (has_brought) growing_ = milliseconds(0);
    const milliseconds pause =
        std::clamp(std::max(wish.value_or(kFirstRetry), growing_), kShortestRetry, kLastRetry);
    growing_ = 2 * pause;
    return pause;
  }

 private:
  milliseconds growing_{0};
};

class HttpTransport final : public Transport {
 public:
  HttpTransport(HttpEndpoint endpoint, std::shared_ptr<const fetch::Fetcher> fetcher)
      : endpoint_(std::move(endpoint)), fetcher_(std::move(fetcher)) {}
  ~HttpTransport() override { HttpTransport::close(); }

  void start(TransportHandlers handlers) override { handlers_ = std::move(handlers); }

  void send(Outgoing message) override {
    if (message.delivery == Outgoing::Delivery::before_return) {
      const bool opens_session = message.method == "notifications/initialized";
      post(message, closing_.get_token());
      if (opens_session) start_hearing();
      return;
    }
    const std::int64_t request = message.request;
    const auto failed = [this, request](const std::string& why) { handlers_.on_failed(request, 0, why); };
    const std::string problem = threads_.run(
        request, [this, message = std::move(message)](const std::stop_token& stop) { post(message, stop); },
        failed);
    if (!problem.empty()) failed(problem);
  }

  bool release(std::int64_t request) override {
    threads_.stop(request);
    return state().dialect.era == Era::modern;
  }

  void speak(const Dialect& dialect) override {
    const std::lock_guard lock(mutex_);
    state_.dialect = dialect;
  }

  void close() override {
    closing_.request_stop();
    threads_.stop_all();
    const HttpState last = state();
    if (last.session.empty()) return;
    keep_session("");
    fetch::FetchRequest goodbye = request_to_server("DELETE", end_headers(last));
    goodbye.deadline = Clock::now() + kGoodbyeLimit;
    fetcher_->fetch(goodbye);
  }

 private:
  void start_hearing() {
    const auto failed = [this](const std::string& why) {
      handlers_.on_log("what it says unasked is not heard: " + why);
    };
    const std::string problem = threads_.run(
        0, [this](const std::stop_token& stop) { hear_unasked(stop); }, failed);
    if (!problem.empty()) failed(problem);
  }

  HttpState state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }

  void keep_session(const std::string& session) {
    const std::lock_guard lock(mutex_);
    state_.session = session;
  }

  fetch::FetchRequest request_to_server(std::string method, HttpHeaders headers) const {
    fetch::FetchRequest request;
    request.method = std::move(method);
    request.url = endpoint_.url;
    request.headers = endpoint_.headers;
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    request.trusted_origins = endpoint_.trusted_origins;
    request.max_body = kMaxStreamBytes;
    request.deadline = Clock::now() + kLongest;
    return request;
  }

  // A body is read as `body` says; a session that begins is kept.
  fetch::FetchResponse fetch_into(HttpBody& body, fetch::FetchRequest request, Opens opens) {
    request.on_head = [this, &body, opens](int status, const HttpHeaders& headers) {
      body.begin(status, headers);
      const std::string session = header_of(headers, "mcp-session-id");
      if (opens == Opens::session && is_session_id(session)) keep_session(session);
    };
    request.on_body = [&body](std::string_view bytes) { return body.push(bytes); };
    return fetcher_->fetch(request);
  }

  void post(const Outgoing& message, const std::stop_token& stop) {
    HttpBody body([&](std::string_view text) { handlers_.on_message(text, message.request); });
    const HttpState before = state();
    fetch::FetchRequest request = request_to_server("POST", post_headers(before, message));
    request.body = message.text;
    request.stop = stop;
    if (message.request == 0) request.deadline = Clock::now() + kNoticeLimit;
    const fetch::FetchResponse response = fetch_into(
        body, std::move(request), message.method == "initialize" ? Opens::session : Opens::nothing);
    if (stop.stop_requested()) return;
    if (!body.error().empty() || response.cut) {
      handlers_.on_failed(message.request, 0, "its answer is too long, or no stream of events");
    } else if (response.end != End::complete) {
      fail_exchange(message.request, response.error);
    } else if (body.is_stream()) {
      resume(message.request, body.last_id(), body.retry(), stop);
    } else {
      take_text(message.request, response.status, body.text(), before);
    }
  }

  // The server cannot be reached: what holds for this request holds for all.
  void fail_exchange(std::int64_t request, const std::string& reason) {
    if (request == 0) return handlers_.on_log("a message to it failed: " + reason);
    handlers_.on_failed(request, 0, reason);
    handlers_.on_closed(reason);
  }

  void take_text(std::int64_t request, int status, const std::string& text, const HttpState& before) {
    const bool succeeded = status >= 200 && status < 300;
    if ((succeeded && !text.empty()) || has_answer(text)) return handlers_.on_message(text, request);
    if (status == 404 && !before.session.empty()) handlers_.on_closed("its session is over");
    if (request != 0) {
      handlers_.on_failed(
          request, status,
          status == 202 ? "it accepted the request and gave no answer" : status_words(status, text));
    } else if (status >= 400) {
      handlers_.on_log("a message to it failed: " + status_words(status, text));
    }
  }

  // The answer's stream has ended. If the answer was in it, `stop` comes at once; if not, a legacy server may
  // have it for one who asks for the rest.
  void resume(std::int64_t request, std::string last_id, std::optional<milliseconds> retry,
              const std::stop_token& stop) {
    StreamPause pause;
    bool has_brought = false;
    while (state().dialect.era == Era::legacy && !last_id.empty()) {
      sleep_for(pause.next(retry, has_brought), stop);
      if (stop.stop_requested()) return;
      has_brought = false;
      HttpBody body([&](std::string_view text) {
        has_brought = true;
        handlers_.on_message(text, request);
      });
      fetch::FetchRequest again = request_to_server("GET", stream_headers(state(), last_id));
      again.stop = stop;
      const fetch::FetchResponse response = fetch_into(body, std::move(again), Opens::nothing);
      if (stop.stop_requested()) return;
      if (response.end != End::complete || !body.is_stream()) break;
      if (!body.last_id().empty()) last_id = body.last_id();
      if (body.retry()) retry = body.retry();
    }
    handlers_.on_failed(request, 0, "the stream of its answer ended without the answer");
  }

  // The stream of a legacy server for what belongs to no request; not every server has one.
  void hear_unasked(const std::stop_token& stop) {
    std::string last_id;
    StreamPause pause;
    while (!stop.stop_requested()) {
      const HttpState now = state();
      bool has_brought = false;
      HttpBody body([&](std::string_view text) {
        has_brought = true;
        handlers_.on_message(text, 0);
      });
      fetch::FetchRequest listen = request_to_server("GET", stream_headers(now, last_id));
      listen.stop = stop;
      const fetch::FetchResponse response = fetch_into(body, std::move(listen), Opens::nothing);
      if (stop.stop_requested()) return;
      if (response.end == End::complete && !body.is_stream()) {
        if (response.status == 404 && !now.session.empty()) handlers_.on_closed("its session is over");
        return;
      }
      if (!body.last_id().empty()) last_id = body.last_id();
      sleep_for(pause.next(body.retry(), has_brought), stop);
    }
  }

  const HttpEndpoint endpoint_;
  const std::shared_ptr<const fetch::Fetcher> fetcher_;
  TransportHandlers handlers_;
  mutable std::mutex mutex_;
  HttpState state_;
  std::stop_source closing_;
  ExchangeThreads threads_;  // last: its threads use the rest
};

}  // namespace

std::unique_ptr<Transport> make_http_transport(HttpEndpoint endpoint,
                                               std::shared_ptr<const fetch::Fetcher> fetcher) {
  return std::make_unique<HttpTransport>(std::move(endpoint), std::move(fetcher));
}

}  // namespace parley::orchestration::mcp
