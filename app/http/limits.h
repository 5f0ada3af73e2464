#pragma once
// What one client may cost. Plain data, immutable once given; tests make the figures small.

#include <sys/types.h>

#include <chrono>
#include <cstddef>

namespace parley::app::http {

using std::chrono::milliseconds;

struct HttpLimits {
  std::size_t max_request_line = 8u << 10;
  std::size_t max_head = 16u << 10;  // request line and fields
  std::size_t max_fields = 100;
  std::size_t max_body = 8u << 20;   // of the route that takes most; each route has its own
  std::size_t min_body_rate = 1024;  // bytes a second, after `body_grace`
  milliseconds body_grace{10'000};
  milliseconds head_deadline{10'000};  // from the first byte of a head, or from the connection's begin
  milliseconds idle{60'000};           // between two requests
  milliseconds write_stall{30'000};    // without one byte taken by the client
  milliseconds linger{1'000};          // after a refusal, for the client to read it
  int max_requests = 100;              // on one connection
  std::size_t max_connections = 1024;
  std::size_t max_early_bytes = 64u << 10;  // sent while the request is being answered; above: gone
};

struct WebSocketLimits {
  std::size_t max_message = 1u << 20;  // of bytes as sent; what is above is closed with 1009
  milliseconds ping_after{20'000};     // of silence
  milliseconds dead_after{60'000};     // of silence
  milliseconds write_stall{30'000};    // without one byte taken by the client
  milliseconds close{5'000};           // for the closing handshake
};

// Of user ids, both ends included.
struct UserRange {
  uid_t first = 0;
  uid_t last = 0;
};

}  // namespace parley::app::http
