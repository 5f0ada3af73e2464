#pragma once
// One connection to a server: asks and waits for answers, and does with what comes unasked what a client must
// (answers pings, refuses what we do not offer, keeps log messages, hears of list changes). Any thread;
// several requests at once. A request that fails is a value. Talking too much ends the connection.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/mcp/flood_guard.h"
#include "orchestration/mcp/message.h"
#include "orchestration/mcp/pending_requests.h"
#include "orchestration/mcp/protocol.h"
#include "orchestration/mcp/server_log.h"
#include "orchestration/mcp/transport.h"

namespace parley::orchestration::mcp {

struct Request {
  enum class GivingUp : std::uint8_t { tells_the_server, is_silent };

  std::string method;
  inference::json::JsonObject params;
  std::string tool;                                          // of tools/call
  std::vector<std::pair<std::string, std::string>> headers;  // of tools/call over HTTP
  GivingUp giving_up = GivingUp::tells_the_server;
};

// Called on the transport's threads: they must not block, and not close the session.
struct SessionEvents {
  std::function<void()> on_tools_changed;
  std::function<void()> on_closed;
};

class Session {
 public:
  Session(std::unique_ptr<Transport> transport, ServerLog& log, SessionEvents events);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();
  // Blocks.
  Reply request(Request request, const Wait& wait);
  void notify(std::string_view method, Outgoing::Delivery delivery);
  void speak(const Dialect& dialect);
  Era era() const { return era_; }

  // Ends the connection and fails what waits; blocks until the transport has closed.
  void close(const std::string& reason);
  bool is_closed() const { return closed_; }
  // Why it ended; empty while it lives.
  std::string end_reason() const;

 private:
  void on_text(std::string_view text, std::int64_t stream);
  void on_unasked(Message message);
  bool on_answer(Answer answer, std::int64_t stream);
  void on_notification(const Notification& notification);
  void on_progress(const inference::json::JsonObject& params);
  void on_request(const ServerRequest& request);
  void on_log_line(std::string_view line);
  void guard(std::size_t bytes);
  void end(const std::string& reason);
  void tell_given_up(std::int64_t id, const RequestFailure& failure);

  const std::unique_ptr<Transport> transport_;
  ServerLog& log_;
  const SessionEvents events_;
  PendingRequests pending_;
  FloodGuard flood_;
  std::atomic<Era> era_{Era::modern};
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  std::string end_reason_;
};

}  // namespace parley::orchestration::mcp
