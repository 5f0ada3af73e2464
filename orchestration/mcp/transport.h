#pragma once
// How messages get to a server and back: one program over its standard streams, or HTTP. Knows JSON-RPC ids,
// nothing of what the messages mean. Each object is for one connection; the server that crashed gets a new
// one.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/mcp/protocol.h"

namespace parley::orchestration::mcp {

struct Outgoing {
  enum class Delivery : std::uint8_t { in_background, before_return };

  std::string text;          // one JSON-RPC message, without a newline
  std::int64_t request = 0;  // its id; 0: a notification, or an answer to the server
  std::string method;        // of a request or notification
  std::string name;          // of the tool, for tools/call
  std::vector<std::pair<std::string, std::string>> headers;  // Mcp-Param-…, ready to be sent
  // before_return: later messages must not overtake it (HTTP sends each in a request of its own).
  Delivery delivery = Delivery::in_background;
};

// Called on the transport's own threads, several at once over HTTP. They must not block for long, and must
// not close or destroy the transport.
struct TransportHandlers {
  // A message. `request`: of the request whose answer stream brought it; 0 where streams are not apart.
  std::function<void(std::string_view text, std::int64_t request)> on_message;
  // There will be no answer to this request, the connection goes on. `status` is that of HTTP, else 0.
  std::function<void(std::int64_t request, int status, std::string reason)> on_failed;
  // A line for people: standard error, or something that is no message.
  std::function<void(std::string_view line)> on_log;
  // The connection is over, with a clause that says why ("exited with status 1"); the first one counts.
  std::function<void(std::string reason)> on_closed;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // Once, before anything else.
  virtual void start(TransportHandlers handlers) = 0;
  // Any thread. Failure comes by on_failed or on_closed; after the end it does nothing.
  virtual void send(Outgoing message) = 0;
  // Nobody waits for this answer any more, be it that it came. True when that alone tells a server that does
  // not have to finish it (modern HTTP: the stream closes).
  virtual bool release(std::int64_t request) = 0;
  // What the handshake found out.
  virtual void speak(const Dialect& dialect) = 0;
  // Ends it; after this no handler is called. Blocks for some seconds at most; may be called again.
  virtual void close() = 0;
};

// Makes one for each start of the server; called on the server's own thread.
using TransportFactory = std::function<std::unique_ptr<Transport>()>;

}  // namespace parley::orchestration::mcp
