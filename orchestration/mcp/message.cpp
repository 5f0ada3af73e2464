#include "orchestration/mcp/message.h"

#include <charconv>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/mcp/fields.h"

namespace parley::orchestration::mcp {
namespace {

constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kMaxBatch = 1000;

// The end of the string that opens at `at`: behind its closing quote.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

std::optional<std::int64_t> number_after_colon(std::string_view text) {
  const std::size_t colon = text.find_first_not_of(" \t");
  if (colon == std::string_view::npos || text[colon] != ':') return std::nullopt;
  const std::size_t begin = text.find_first_not_of(" \t", colon + 1);
  if (begin == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

// The id of a message that the parser refuses (too deep, a key twice): the field of the outermost object. So
// its request can be told, instead of waiting for nothing.
std::optional<std::int64_t> salvage_id(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = skip_string(text, at);
      if (end > text.size()) return std::nullopt;
      if (depth == 1 && text.substr(at, end - at) == "\"id\"") {
        if (const auto id = number_after_colon(text.substr(end))) return id;
      }
      at = end;
      continue;
    }
    depth += c == '{' || c == '[' ? 1 : 0;
    depth -= c == '}' || c == ']' ? 1 : 0;
    ++at;
  }
  return std::nullopt;
}

RpcError read_error(const JsonObject& error) {
  const JsonValue* data = error.if_contains("data");
  return {.code = integer_field(error, "code").value_or(0),
          .message = text_field(error, "message"),
          .data = data == nullptr ? JsonValue() : *data};
}

Message read_call(const JsonObject& object) {
  const std::string method = text_field(object, "method");
  const JsonValue* id = object.if_contains("id");
  if (id != nullptr && (id->is_string() || id->is_number()))
    return ServerRequest{.id = *id, .method = method};
  if (id != nullptr) return Unreadable{.reason = "a request whose id is neither text nor a number", .id = {}};
  const JsonObject* params = object_field(object, "params");
  return Notification{.method = method, .params = params == nullptr ? JsonObject() : *params};
}

Message read_message(const JsonValue& value) {
  const JsonObject* object = value.if_object();
  if (object == nullptr) return Unreadable{.reason = "not a JSON object", .id = {}};
  if (const JsonValue* method = object->if_contains("method"); method != nullptr && method->is_string()) {
    return read_call(*object);
  }
  const std::optional<std::int64_t> id = integer_field(*object, "id");
  if (const JsonObject* error = object_field(*object, "error")) {
    return Answer{.id = id, .outcome = read_error(*error)};
  }
  const JsonObject* result = object_field(*object, "result");
  if (result == nullptr) return Unreadable{.reason = "neither a call nor an answer", .id = id};
  if (!id) return Unreadable{.reason = "an answer to an id that is not ours", .id = {}};
  return Answer{.id = id, .outcome = *result};
}

JsonObject envelope() { return {{"jsonrpc", "2.0"}}; }

}  // namespace

std::vector<Message> parse_messages(std::string_view text) {
  const auto parsed =
      inference::json::parse_json(text, {.max_bytes = kMaxMessageBytes, .max_depth = kMaxDepth});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    return {Unreadable{.reason = error->message, .id = salvage_id(text)}};
  }
  const auto& value = std::get<JsonValue>(parsed);
  const JsonArray* batch = value.if_array();
  if (batch == nullptr) return {read_message(value)};
  if (batch->empty() || batch->size() > kMaxBatch) {
    return {Unreadable{.reason = "a batch that is empty or too long", .id = {}}};
  }
  std::vector<Message> messages;
  for (const JsonValue& one : *batch) messages.push_back(read_message(one));
  return messages;
}

std::string request_text(std::int64_t id, std::string_view method, const JsonObject& params) {
  JsonObject message = envelope();
  message["id"] = id;
  message["method"] = method;
  message["params"] = params;
  return inference::json::to_json_text(message);
}

std::string notification_text(std::string_view method, const JsonObject& params) {
  JsonObject message = envelope();
  message["method"] = method;
  if (!params.empty()) message["params"] = params;
  return inference::json::to_json_text(message);
}

std::string result_text(const JsonValue& id, const JsonObject& result) {
  JsonObject message = envelope();
  message["id"] = id;
  message["result"] = result;
  return inference::json::to_json_text(message);
}

std::string error_text(const JsonValue& id, std::int64_t code, std::string_view words) {
  JsonObject message = envelope();
  message["id"] = id;
  message["error"] = JsonObject{{"code", code}, {"message", words}};
  return inference::json::to_json_text(message);
}

}  // namespace parley::orchestration::mcp
