#pragma once
// What one client may cost. Plain data, immutable once given; tests make the figures small.

#include <sys/types.h>

#include <chrono>
#include <cstddef>

namespace parley::app::http {

using std::chrono::milliseconds;

// How a body or a message that has begun has to go on.
struct ReceiveRate {
  std::size_t min_bytes_per_second = 1024;
  milliseconds grace{10'000};        // that it begins with
  milliseconds max_silence{30'000};  // however fast it came until then
};

struct HttpLimits {
  std::size_t max_request_line = 8u << 10;
  std::size_t max_head = 16u << 10;  // request line and fields
  std::size_t max_fields = 100;
  std::size_t max_body = 8u << 20;  // of the route that takes most; each route has its own
  ReceiveRate body_rate;
  milliseconds head_deadline{10'000};  // from the first byte of a head, or from the connection's begin
  milliseconds idle{60'000};           // between two requests
  milliseconds write_stall{30'000};    // without one byte taken by the client
  milliseconds linger{1'000};          // after a refusal, for the client to read it
  int max_requests = 100;              // on one connection
  std::size_t max_connections = 1024;
  std::size_t max_early_bytes = 64u << 10;  // sent while the request is being answered; above: gone
  // Of unfinished bodies and WebSocket messages, all clients together; not counted is what each may always
  // have.
  std::size_t max_unfinished = 128u << 20;
  std::size_t uncounted_unfinished = 64u << 10;
};

struct WebSocketLimits {
  std::size_t max_message = 1u << 20;  // of bytes as sent; what is above is closed with 1009
  ReceiveRate message_rate;
  milliseconds ping_after{20'000};   // of silence
  milliseconds dead_after{60'000};   // of silence
  milliseconds write_stall{30'000};  // without one byte taken by the client
  milliseconds close{5'000};         // for the closing handshake
};

// Of user ids, both ends included.
struct UserRange {
  uid_t first = 0;
  uid_t last = 0;
};

}  // namespace parley::app::http
