#include "app/api/generation.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/api/api_error.h"
#include "app/api/pending_event.h"
#include "inference/json/json_writer.h"

namespace parley::app::api {

namespace asio = boost::asio;
using orchestration::turn::ChatDelta;
using orchestration::turn::ChatEvent;
using orchestration::turn::ChatFinished;
using orchestration::turn::ChatStream;

namespace {

constexpr std::string_view kKeepAlive = ": keep-alive\n\n";
constexpr std::string_view kDone = "data: [DONE]\n\n";

std::string event_text(const inference::json::JsonValue& value) {
  return "data: " + inference::json::to_json_text(value) + "\n\n";
}

std::string event_texts(const JsonObjects& objects) {
  std::string text;
  for (const auto& object : objects) text += event_text(object);
  return text;
}

// An answer that ended otherwise than by itself.
std::optional<ApiError> failure_of(const ChatFinished& finished) {
  ApiError error;
  if (!finished.error.empty()) {
    error.status = 500;
    error.message = finished.error;
    error.code = "generation_failed";
    return error;
  }
  if (finished.stop_reason != "stopped") return std::nullopt;
  error.status = 503;
  error.message = "The answer was cancelled because the server is stopping. Send the request again later.";
  error.code = "shutting_down";
  return error;
}

template <typename T>
void move_behind(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void append(ChatDelta& answer, ChatDelta delta) {
  answer.text += delta.text;
  answer.reasoning += delta.reasoning;
  move_behind(answer.calls, delta.calls);
  move_behind(answer.scores, delta.scores);
}

AnswerEnd end_of(const ChatFinished& finished) {
  AnswerEnd end;
  end.finish_reason = finished.stop_reason;
  end.text = finished.text;
  end.ran_calls = finished.calls;
  end.limit = finished.limit;
  end.tool_report = finished.tool_report;
  return end;
}

// Reads the answer to its end. Nullopt: the client went.
asio::awaitable<std::optional<ChatFinished>> collect(http::Exchange& exchange, ChatStream& stream,
                                                     ChatDelta& answer) {
  while (!exchange.client_gone()) {
    ChatEvent event = co_await stream.next();
    if (auto* finished = std::get_if<ChatFinished>(&event)) co_return std::move(*finished);
    append(answer, std::move(std::get<ChatDelta>(event)));
  }
  co_return std::nullopt;
}

asio::awaitable<void> deliver_whole(http::Exchange& exchange, ChatStream& stream, AnswerFormat& format) {
  ChatDelta answer;
  auto finished = co_await collect(exchange, stream, answer);
  if (!finished || exchange.client_gone()) co_return;
  if (const auto error = failure_of(*finished)) {
    co_await exchange.respond(error_response(*error));
    co_return;
  }
  co_await exchange.respond(json_response(format.whole(answer, end_of(*finished), finished->usage)));
}

http::Response event_stream() {
  http::Response response;
  response.content_type = "text/event-stream";
  response.fields = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  return response;
}

asio::awaitable<ChatEvent> next_event(http::Exchange& exchange, ChatStream& stream,
                                      std::chrono::milliseconds keep_alive) {
  PendingEvent pending(exchange.executor(), stream);
  bool arrived = co_await pending.wait(keep_alive);
  while (!arrived) {
    co_await exchange.send(kKeepAlive);
    arrived = co_await pending.wait(keep_alive);
  }
  co_return pending.take();
}

std::string closing_text(AnswerFormat& format, const ChatFinished& finished, const DeliveryOptions& options) {
  if (const auto error = failure_of(finished)) return event_text(error_object(*error));
  std::string text = event_texts(format.closing(end_of(finished)));
  if (options.include_usage) text += event_text(format.usage(finished.usage));
  text += kDone;
  return text;
}

asio::awaitable<void> deliver_stream(http::Exchange& exchange, ChatStream& stream, AnswerFormat& format,
                                     DeliveryOptions options) {
  co_await exchange.begin_stream(event_stream());
  std::string text = event_texts(format.opening());
  if (!text.empty()) co_await exchange.send(text);
  while (!exchange.client_gone()) {
    ChatEvent event = co_await next_event(exchange, stream, options.keep_alive);
    if (const auto* finished = std::get_if<ChatFinished>(&event)) {
      text = closing_text(format, *finished, options);
      co_await exchange.send(text);
      co_return;
    }
    text = event_texts(format.pieces(std::get<ChatDelta>(event)));
    if (!text.empty()) co_await exchange.send(text);
  }
}

}  // namespace

ClientWatch::ClientWatch(http::Exchange& exchange) {
  exchange.watch_client([this] {
    if (stream_ != nullptr) stream_->cancel();
  });
}

asio::awaitable<void> deliver(http::Exchange& exchange, ClientWatch& watch,
                              orchestration::turn::ChatStart start, AnswerFormat& format,
                              DeliveryOptions options) {
  if (const auto* rejection = std::get_if<orchestration::turn::ChatRejection>(&start)) {
    co_await exchange.respond(error_response(error_of(*rejection)));
    co_return;
  }
  auto& stream = std::get<std::unique_ptr<ChatStream>>(start);
  if (exchange.client_gone()) co_return;
  watch.attach(stream.get());
  if (options.stream) {
    co_await deliver_stream(exchange, *stream, format, options);
  } else {
    co_await deliver_whole(exchange, *stream, format);
  }
  watch.attach(nullptr);
}

}  // namespace parley::app::api
