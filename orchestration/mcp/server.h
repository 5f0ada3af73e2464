#pragma once
// An MCP server that is kept alive: started in the background, greeted, asked for its tools, asked again when
// they change, started anew when it ends, with growing pauses and for ever. Any thread; `call` blocks. What
// goes wrong is in the state, the log and the outcomes, never an exception. Destroying it ends the server and
// waits for that; no call may be running then.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "orchestration/mcp/call_result.h"
#include "orchestration/mcp/handshake.h"
#include "orchestration/mcp/server_log.h"
#include "orchestration/mcp/tool_list.h"
#include "orchestration/mcp/transport.h"

namespace parley::orchestration::mcp {

struct ServerStatus {
  enum class State : std::uint8_t {
    starting,
    ready,
    failed,      // the last start did not succeed; it is tried again at next_start
    restarting,  // it was ready and ended; it is started again, at next_start
    ended,       // this object is being destroyed
  };
  State state = State::starting;
  std::string reason;  // of failed and restarting: a clause, "exited with status 1"
  std::optional<std::chrono::steady_clock::time_point> next_start;
  std::optional<ServerFacts> facts;  // of the last handshake
  int starts = 0;
};

struct CallOptions {
  std::chrono::steady_clock::time_point deadline;  // whatever the progress
  std::chrono::milliseconds timeout{60000};        // starts anew with each progress
  std::stop_token stop;
  std::function<void(const Progress&)> on_progress;  // on the calling thread; may be empty
};

class McpServer {
 public:
  virtual ~McpServer() = default;
  virtual ServerStatus status() const = 0;
  // The last list there was, also while it restarts; empty until the first one came. Not null.
  virtual std::shared_ptr<const ToolList> tools() = 0;
  // `tool` is one of its list, maybe an older one: a tool that has changed since then is not called. While
  // the server restarts it waits.
  virtual CallOutcome call(const ToolDefinition& tool, const inference::json::JsonObject& arguments,
                           const CallOptions& options) = 0;
  virtual std::vector<LogLine> log() const = 0;
};

struct ServerSettings {
  TransportFactory transport;
  std::vector<std::string> notes;  // about how it is started, for the log
  std::chrono::milliseconds handshake{10000};
  std::chrono::milliseconds first_handshake{60000};  // of the first start, which may have to install it
  std::chrono::milliseconds probe{5000};             // silence for so long means legacy
  std::chrono::milliseconds first_pause{1000};       // before a restart; doubles up to last_pause
  std::chrono::milliseconds last_pause{60000};
  std::chrono::milliseconds relist_pause{1000};  // at least so long between two lists of tools
  // State or tools have changed. On the server's own thread, without locks; must not destroy the server.
  std::function<void()> on_change;
};

std::unique_ptr<McpServer> make_mcp_server(ServerSettings settings);

}  // namespace parley::orchestration::mcp
