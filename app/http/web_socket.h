#pragma once
// A WebSocket after its handshake (RFC 6455), without extensions. Lives on the I/O thread; one read and one
// write at a time. Pings an idle client and gives up on a dead one by itself. What clients do
// wrong ends the socket; nothing throws.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "app/http/limits.h"
#include "app/http/receive_budget.h"

namespace parley::app::http {

enum class CloseCode : std::uint16_t {
  going_away = 1001,
  unknown_data = 1003,
  policy_violation = 1008,
  internal_error = 1011,
  try_again_later = 1013,
};

class WebSocket {
 public:
  virtual ~WebSocket() = default;  // drops the connection

  // The next text message; nullopt: closed. What breaks the protocol or is too large (1009), binary messages
  // (1003), one that comes too slowly (1008) and one that is too much together with what other clients send
  // (1013) have been answered with their close code then.
  virtual boost::asio::awaitable<std::optional<std::string>> read() = 0;
  // False: closed, or the client took none of it for WebSocketLimits::write_stall. Long ones are sent in
  // fragments, between which pings and a close find their way.
  virtual boost::asio::awaitable<bool> write(std::string_view text) = 0;
  // Begins to close, once; read() ends with nullopt within WebSocketLimits::close.
  virtual void close(CloseCode code, const std::string& reason) = 0;
};

// What clients may send behind the handshake without having seen its answer. The RFC lets them send nothing.
inline constexpr std::size_t kMaxEarlyFrameBytes = 1024;

// A handshake that check_upgrade() has passed.
struct Upgrade {
  std::string key;          // Sec-WebSocket-Key
  std::string early_bytes;  // what came behind it, up to kMaxEarlyFrameBytes
};

struct AcceptedWebSocket {
  std::unique_ptr<WebSocket> socket;  // nullptr: failed
  std::function<void()> abort;        // drops the connection at once; does nothing when it has ended
};

// Answers the handshake.
boost::asio::awaitable<AcceptedWebSocket> accept_web_socket(boost::asio::ip::tcp::socket socket,
                                                            Upgrade upgrade, WebSocketLimits limits,
                                                            ReceiveBudgetPtr budget);

}  // namespace parley::app::http
