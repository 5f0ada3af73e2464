#pragma once
// What each HTTP request to a server says about protocol and session. Values; any thread.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/mcp/transport.h"

namespace parley::orchestration::mcp {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpState {
  Dialect dialect;
  std::string session;  // Mcp-Session-Id of a legacy server; empty if it has none
};

HttpHeaders post_headers(const HttpState& state, const Outgoing& message);
// last_id: of the last event that was seen; empty if none.
HttpHeaders stream_headers(const HttpState& state, const std::string& last_id);
HttpHeaders end_headers(const HttpState& state);

// Only visible ASCII may be sent back in a header.
bool is_session_id(std::string_view text);

}  // namespace parley::orchestration::mcp
