#pragma once
// A blocking WebSocket client for tests that can send what a browser never would.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/fakes/raw_client.h"

namespace parley::tests::fakes {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct WebSocketFrame {
  Opcode opcode = Opcode::text;
  bool final = true;
  std::string payload;

  int close_code() const;  // of a close frame; 0: none
};

class RawWebSocket {
 public:
  explicit RawWebSocket(std::uint16_t port) : port_(port), client_(port) {}

  // The status of the answer to the handshake.
  int upgrade(std::string_view path = "/ws", std::string_view more_fields = {});

  bool send_text(std::string_view text);
  bool send_frame(const WebSocketFrame& frame);
  // The next frame; nullopt: closed, or nothing came in time.
  std::optional<WebSocketFrame> read_frame();
  // The next text message; answers pings on the way. Nullopt: closed.
  std::optional<std::string> read_text();
  // Reads on until a close frame; its code, 0 when the connection ended without one.
  int read_close();

  RawClient& client() { return client_; }

 private:
  std::uint16_t port_;
  RawClient client_;
};

// A masked frame as bytes.
std::string make_frame(const WebSocketFrame& frame);

}  // namespace parley::tests::fakes
