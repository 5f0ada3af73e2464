#include "orchestration/mcp/session.h"

#include <algorithm>

#include "inference/json/json_writer.h"
#include "orchestration/mcp/fields.h"
#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::mcp {
namespace {

using Kind = RequestFailure::Kind;

constexpr std::size_t kMaxReason = 500;

RequestFailure refused(const RpcError& error) {
  std::string words = plain_line(error.message, kMaxReason);
  if (words.empty()) words = "error " + std::to_string(error.code);
  return {.kind = Kind::refused, .message = std::move(words), .code = error.code, .data = error.data};
}

RequestFailure undelivered(std::string reason, int status) {
  return {.kind = Kind::undelivered, .message = std::move(reason), .code = 0, .data = {}, .status = status};
}

Reply to_reply(Answer answer) {
  if (auto* error = std::get_if<RpcError>(&answer.outcome)) return refused(*error);
  return std::get<JsonObject>(std::move(answer.outcome));
}

std::string data_text(const JsonValue& data) {
  if (data.is_string()) return std::string(std::string_view(data.get_string()));
  const JsonObject* object = data.if_object();
  std::string message = object == nullptr ? "" : text_field(*object, "message");
  return message.empty() ? inference::json::to_json_text(data) : message;
}

}  // namespace

Session::Session(std::unique_ptr<Transport> transport, ServerLog& log, SessionEvents events)
    : transport_(std::move(transport)), log_(log), events_(std::move(events)) {}

Session::~Session() { close("Parley has ended the connection"); }

void Session::start() {
  TransportHandlers handlers;
  handlers.on_message = [this](std::string_view text, std::int64_t stream) { on_text(text, stream); };
  handlers.on_failed = [this](std::int64_t request, int status, std::string reason) {
    pending_.settle(request, undelivered(std::move(reason), status));
  };
  handlers.on_log = [this](std::string_view line) { on_log_line(line); };
  handlers.on_closed = [this](const std::string& reason) { end(reason); };
  transport_->start(std::move(handlers));
}

Reply Session::request(Request request, const Wait& wait) {
  const std::int64_t id = pending_.open();
  if (era_ == Era::modern && request.method != "initialize") add_modern_meta(request.params);
  if (wait.on_progress) {
    JsonValue& meta = request.params["_meta"];
    if (!meta.is_object()) meta = JsonObject();
    meta.get_object()["progressToken"] = id;
  }
  Outgoing message;
  message.text = request_text(id, request.method, request.params);
  message.request = id;
  message.method = request.method;
  message.name = std::move(request.tool);
  message.headers = std::move(request.headers);
  if (!closed_) transport_->send(std::move(message));
  Reply reply = pending_.wait(id, wait);
  const bool told = transport_->release(id);
  const auto* failure = std::get_if<RequestFailure>(&reply);
  if (failure == nullptr || closed_) return reply;
  if (failure->kind != Kind::timed_out && failure->kind != Kind::cancelled) return reply;
  if (!told && request.giving_up == Request::GivingUp::tells_the_server) tell_given_up(id, *failure);
  return reply;
}

void Session::tell_given_up(std::int64_t id, const RequestFailure& failure) {
  Outgoing message;
  message.method = "notifications/cancelled";
  message.text = notification_text(message.method, {{"requestId", id}, {"reason", failure.message}});
  transport_->send(std::move(message));
}

void Session::notify(std::string_view method, Outgoing::Delivery delivery) {
  Outgoing message;
  message.method = std::string(method);
  message.text = notification_text(method, {});
  message.delivery = delivery;
  transport_->send(std::move(message));
}

void Session::speak(const Dialect& dialect) {
  era_ = dialect.era;
  transport_->speak(dialect);
}

void Session::close(const std::string& reason) {
  end(reason);
  transport_->close();
}

std::string Session::end_reason() const {
  const std::lock_guard lock(mutex_);
  return end_reason_;
}

void Session::end(const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    end_reason_ = plain_line(reason, kMaxReason);
    closed_ = true;
  }
  pending_.close(end_reason());
  if (events_.on_closed) events_.on_closed();
}

void Session::guard(std::size_t bytes) {
  if (flood_.admit(bytes, std::chrono::steady_clock::now())) return;
  end("it floods: too many messages that nobody asked for");
}

void Session::on_text(std::string_view text, std::int64_t stream) {
  if (closed_) return;
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  bool is_asked = false;
  for (Message& message : parse_messages(text)) {
    if (auto* answer = std::get_if<Answer>(&message)) {
      is_asked = on_answer(std::move(*answer), stream) || is_asked;
    } else if (const auto* bad = std::get_if<Unreadable>(&message)) {
      const std::int64_t id = bad->id.value_or(stream);
      pending_.settle(id,
                      undelivered("its answer cannot be read: " + plain_line(bad->reason, kMaxReason), 0));
      log_.add(LogLine::Origin::note,
               "not a message (" + bad->reason + "): " + std::string(text.substr(0, 200)));
    } else {
      on_unasked(std::move(message));
    }
  }
  if (!is_asked) guard(text.size());
}

// An error without an id belongs to the request on whose stream it came. True: it was asked for.
bool Session::on_answer(Answer answer, std::int64_t stream) {
  const std::int64_t id = answer.id.value_or(stream);
  if (pending_.settle(id, to_reply(std::move(answer)))) return true;
  log_.add(LogLine::Origin::note,
           "an answer to a request that is not waiting, id " + std::to_string(id) + ", was dropped");
  return pending_.take_late(id);
}

void Session::on_unasked(Message message) {
  if (const auto* notification = std::get_if<Notification>(&message)) return on_notification(*notification);
  on_request(std::get<ServerRequest>(message));
}

void Session::on_notification(const Notification& notification) {
  const JsonObject& params = notification.params;
  if (notification.method == "notifications/tools/list_changed") {
    if (events_.on_tools_changed) events_.on_tools_changed();
  } else if (notification.method == "notifications/progress") {
    on_progress(params);
  } else if (notification.method == "notifications/message") {
    const JsonValue* data = params.if_contains("data");
    const std::string words = data == nullptr ? "" : data_text(*data);
    log_.add(LogLine::Origin::message, text_field(params, "level") + ": " + words);
  } else if (notification.method == "notifications/cancelled") {
    // A modern server ends a subscription with it.
    const std::int64_t id = integer_field(params, "requestId").value_or(0);
    pending_.settle(id, undelivered("the server has ended it", 0));
  }
}

void Session::on_progress(const JsonObject& params) {
  const std::int64_t token = integer_field(params, "progressToken").value_or(0);
  pending_.report(token, {.progress = number_field(params, "progress"),
                          .total = number_field(params, "total"),
                          .message = plain_line(text_field(params, "message"), kMaxReason)});
}

// A modern server must not ask, and a client must not answer it.
void Session::on_request(const ServerRequest& request) {
  if (era_ == Era::modern && request.method != "ping") {
    log_.add(LogLine::Origin::note, "its request " + request.method + " was ignored");
    return;
  }
  Outgoing message;
  if (request.method == "ping") {
    message.text = result_text(request.id, {});
  } else {
    message.text = error_text(request.id, kMethodNotFound, "Parley does not offer " + request.method);
    log_.add(LogLine::Origin::note, "its request " + request.method + " was refused");
  }
  transport_->send(std::move(message));
}

void Session::on_log_line(std::string_view line) {
  log_.add(LogLine::Origin::error_stream, line);
  guard(line.size());
}

}  // namespace parley::orchestration::mcp
