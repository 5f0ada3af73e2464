#pragma once
// The listener: HTTP, WebSocket and static files on one port. Lives on the I/O thread.
// Throws std::runtime_error when the address cannot be bound (the message names it and says what to do).

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "app/api/document_routes.h"
#include "app/api/generation_meter.h"
#include "app/http/limits.h"
#include "inference/engine/engine.h"
#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/model_slot.h"
#include "orchestration/turn/tool_catalogue.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::app::server {

// Of one WebSocket.
struct SessionLimits {
  std::size_t max_open_conversations = 32;
  double commands_per_second = 100;
  // That have no answer yet; the next one is not read while there are as many.
  std::size_t max_commands = 32;
  std::size_t max_command_bytes = 1u << 20;
  std::size_t max_queued_bytes = 256u << 10;  // of frames that the client has not taken yet
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;
  std::string access_key;                  // empty: no key asked for (loopback only)
  std::vector<std::string> allowed_hosts;  // beside the loopback names
  // Users of this machine whose programs are not served, where only it can reach the server.
  std::optional<http::UserRange> refused_users;
  std::filesystem::path ui_dir;  // empty: the built-in UI
  std::string version;           // "0.1.0"
  http::HttpLimits http_limits;
  http::WebSocketLimits socket_limits;  // max_message is set by the server, from ServerParts::limits
  SessionLimits session_limits;
};

struct ServerParts {
  orchestration::turn::ConversationHub& hub;
  orchestration::turn::ModelSlot& model;
  // Counters of the engine for /metrics and /health; nullopt while no model is loaded.
  std::function<std::optional<inference::engine::EngineStats>()> engine_stats;
  orchestration::turn::GenerationOptions defaults;      // for requests that do not say otherwise
  orchestration::turn::HubLimits limits{};              // those of the hub, for clients to know
  orchestration::turn::ToolCatalogue* tools = nullptr;  // nullptr: there are none
  orchestration::turn::ToolDesk* desk = nullptr;  // where requests to /v1 call them; nullptr: they cannot
  // Latencies for /metrics, of the answers to /v1; give the hub a metered model too, and chats count. May be
  // nullptr.
  api::GenerationMeter* meter = nullptr;
  api::EmbeddingRoute embeddings{};               // for /v1/embeddings
  api::DocumentCommands documents{};              // for /api/search; empty: there is none
  std::function<void(const std::string&)> log{};  // lines for the operator; empty: none
};

class Server {
 public:
  virtual ~Server() = default;
  virtual std::uint16_t port() const = 0;  // the one really bound
  // Accepts until stop() is called; then closes idle connections, sends 1001 to sockets, and returns when all
  // requests have ended or `drain` is over.
  virtual boost::asio::awaitable<void> run() = 0;
  virtual void stop(std::chrono::milliseconds drain) = 0;
};

// Binds and listens at once. `parts` outlive the server.
std::unique_ptr<Server> make_server(const boost::asio::any_io_executor& executor,
                                    const ServerOptions& options, const ServerParts& parts);

}  // namespace parley::app::server
