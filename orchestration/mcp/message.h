#pragma once
// JSON-RPC 2.0 messages: text in, values out, and back. Plain functions, any thread. What cannot be read is a
// value too, since a server may write anything.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::mcp {

inline constexpr std::size_t kMaxMessageBytes = std::size_t{10} << 20;

struct RpcError {
  std::int64_t code = 0;
  std::string message;  // the server's words, raw
  inference::json::JsonValue data;
};

// A request of the server; `id` is given back as it came.
struct ServerRequest {
  inference::json::JsonValue id;
  std::string method;
};

struct Notification {
  std::string method;
  inference::json::JsonObject params;
};

// To a request of ours. No id: an error that the server could not connect with a request.
struct Answer {
  std::optional<std::int64_t> id;
  std::variant<inference::json::JsonObject, RpcError> outcome;
};

struct Unreadable {
  std::string reason;              // "not JSON", "nested more than 128 deep"
  std::optional<std::int64_t> id;  // of an answer, when that much could be read
};

using Message = std::variant<ServerRequest, Notification, Answer, Unreadable>;

// One message, or several where the server sends a batch (revision 2025-03-26). Never empty.
std::vector<Message> parse_messages(std::string_view text);

std::string request_text(std::int64_t id, std::string_view method, const inference::json::JsonObject& params);
std::string notification_text(std::string_view method, const inference::json::JsonObject& params);
std::string result_text(const inference::json::JsonValue& id, const inference::json::JsonObject& result);
std::string error_text(const inference::json::JsonValue& id, std::int64_t code, std::string_view message);

}  // namespace parley::orchestration::mcp
