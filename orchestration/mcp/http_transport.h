#pragma once
// A server behind an URL: streamable HTTP in both shapes. Each message is a POST with a thread of its own;
// the answer is one JSON text or a stream of events. Legacy servers may have a session (Mcp-Session-Id, ended
// by DELETE), a stream of unasked messages (GET), and streams that break off and go on (Last-Event-ID).

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/fetch/fetch.h"
#include "orchestration/mcp/transport.h"

namespace parley::orchestration::mcp {

struct HttpEndpoint {
  std::string url;
  std::vector<fetch::Header> headers;        // the operator's: Authorization, …
  std::vector<std::string> trusted_origins;  // see fetch.h
};

// The fetcher is shared by the servers of one process and outlives each transport.
std::unique_ptr<Transport> make_http_transport(HttpEndpoint endpoint,
                                               std::shared_ptr<const fetch::Fetcher> fetcher);

}  // namespace parley::orchestration::mcp
