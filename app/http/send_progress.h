#pragma once
// What the other side of a TCP connection has taken of what was sent, as the system knows it. Whether a write
// has returned does not tell: the system takes megabytes at once, and on a slow line says for minutes that
// there is no room. A plain function, any thread; what cannot be asked counts as nothing taken.

#include <cstdint>

namespace parley::app::http {

struct SendProgress {
  std::uint64_t bytes_taken = 0;  // acknowledged, since the connection's begin
  bool all_taken = true;          // nothing is on its way
};

SendProgress send_progress(int socket);

}  // namespace parley::app::http
