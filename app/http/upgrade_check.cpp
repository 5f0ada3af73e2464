#include "app/http/upgrade_check.h"

#include <algorithm>

namespace parley::app::http {
namespace {

constexpr std::size_t kKeyLength = 24;  // 16 bytes in base64

bool is_base64(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/';
}

bool is_key(const std::string* key) {
  return key != nullptr && key->size() == kKeyLength && key->ends_with("==") &&
         std::all_of(key->begin(), key->end() - 2, is_base64);
}

}  // namespace

std::optional<Refusal> check_upgrade(const RequestHead& head) {
  const std::string* upgrade = head.find("Upgrade");
  const std::string* connection = head.find("Connection");
  if (head.http_1_0 || upgrade == nullptr || !equal_ignoring_case(*upgrade, "websocket") ||
      connection == nullptr || !has_token(*connection, "upgrade")) {
    return Refusal{426, "Only WebSockets are served here.", {Field{"Upgrade", "websocket"}}};
  }
  const std::string* version = head.find("Sec-WebSocket-Version");
  if (version == nullptr || *version != "13") {
    return Refusal{426,
                   "This server speaks version 13 of the WebSocket protocol.",
                   {Field{"Sec-WebSocket-Version", "13"}, Field{"Upgrade", "websocket"}}};
  }
  if (!is_key(head.find("Sec-WebSocket-Key"))) {
    return Refusal{400, "Sec-WebSocket-Key must be 16 bytes in base64.", {}};
  }
  return std::nullopt;
}

}  // namespace parley::app::http
