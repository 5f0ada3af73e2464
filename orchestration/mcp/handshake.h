#pragma once
// Finds out which era a server speaks and who it is: asks server/discover, and falls back to the `initialize`
// handshake on anything but a modern answer (revision 2026-07-28, "Versioning and Compatibility"). Blocks;
// any one thread. A failure is a clause.

#include <chrono>
#include <string>
#include <variant>

#include "orchestration/mcp/session.h"

namespace parley::orchestration::mcp {

// All but the dialect is the word of a stranger, in plain text.
struct ServerFacts {
  Dialect dialect;
  std::string name;
  std::string version;
  std::string instructions;
  bool has_tools = false;
  bool tells_changes = false;  // of its list of tools
};

struct HandshakePlan {
  enum class Opening : std::uint8_t {
    probe,       // ask server/discover first
    initialize,  // it is known to be a legacy server, or does not bear being asked
  };
  Opening opening = Opening::probe;
  std::chrono::milliseconds limit{10000};       // for all of it
  std::chrono::milliseconds probe_limit{5000};  // silence for so long means legacy
  std::stop_token stop;
};

std::variant<ServerFacts, std::string> shake_hands(Session& session, const HandshakePlan& plan);

}  // namespace parley::orchestration::mcp
