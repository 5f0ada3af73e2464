#include "orchestration/mcp/http_requests.h"

#include <algorithm>
#include <cstddef>

#include "orchestration/mcp/header_arguments.h"

namespace parley::orchestration::mcp {
namespace {

constexpr std::size_t kMaxSessionId = 1000;

void add_state(const HttpState& state, HttpHeaders& headers) {
  headers.emplace_back("MCP-Protocol-Version", state.dialect.version);
  if (state.dialect.era == Era::legacy && !state.session.empty()) {
    headers.emplace_back("Mcp-Session-Id", state.session);
  }
}

}  // namespace

HttpHeaders post_headers(const HttpState& state, const Outgoing& message) {
  HttpHeaders headers = {{"Content-Type", "application/json"},
                         {"Accept", "application/json, text/event-stream"}};
  if (message.method == "initialize") return headers;
  add_state(state, headers);
  if (state.dialect.era == Era::legacy) return headers;
  headers.emplace_back("Mcp-Method", message.method);
  if (!message.name.empty()) headers.emplace_back("Mcp-Name", encode_header_value(message.name));
  headers.insert(headers.end(), message.headers.begin(), message.headers.end());
  return headers;
}

HttpHeaders stream_headers(const HttpState& state, const std::string& last_id) {
  HttpHeaders headers = {{"Accept", "text/event-stream"}};
  add_state(state, headers);
  if (!last_id.empty()) headers.emplace_back("Last-Event-ID", last_id);
  return headers;
}

HttpHeaders end_headers(const HttpState& state) {
  HttpHeaders headers;
  add_state(state, headers);
  return headers;
}

bool is_session_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxSessionId &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace parley::orchestration::mcp
