#pragma once
// The tools that chats may use, as clients are told of them and as turns take them. I/O thread; never fails.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/tools/tool_entries.h"
#include "orchestration/tools/tool_registry.h"

namespace parley::orchestration::turn {

struct OfferedTool {
  std::string name;
  std::string description;
  std::string source;  // tools::ToolSpec::source
  tools::Decision policy = tools::Decision::ask;
  int tokens = 0;       // of its description in the prompt
  bool chosen = false;  // in a chat that has not said which tools it wants

  bool operator==(const OfferedTool&) const = default;
};

struct ToolServer {
  enum class State : std::uint8_t { starting, ready, failed, restarting, off };
  std::string name;
  State state = State::starting;
  std::string error;  // of failed and restarting: a sentence
  int tools = 0;
  std::vector<std::string> log;  // its last lines, oldest first

  bool operator==(const ToolServer&) const = default;
};

struct ToolSnapshot {
  std::vector<OfferedTool> tools;  // by name
  bool counted = false;            // their tokens, by the model's tokenizer; else guessed from the length
  std::vector<ToolServer> servers;
  std::vector<std::string> problems;  // of the file and its entries: sentences
  std::string file;  // that they are read from, whether it is there or not; empty: tools are off
  std::string off;   // then: why, a clause with what to do

  bool operator==(const ToolSnapshot&) const = default;
};

// What people have allowed until it is taken back.
struct ToolApproval {
  std::string tool;
  std::string source;
  std::string chat;                           // empty: in every chat
  std::optional<sessions::UnixMillis> since;  // absent: not known
  bool holds = true;  // for the tool as it is now; else it is another one, or not there
};

class ToolCatalogue {
 public:
  virtual ~ToolCatalogue() = default;
  virtual ToolSnapshot snapshot() const = 0;
  // What a turn keeps from its beginning to its end: tools, rules, limits. Never null.
  virtual std::shared_ptr<const tools::RegistryState> registry() const = 0;

  virtual std::uint64_t version() const = 0;  // rises with each change
  // Waits for one; compare versions, since one may have come before.
  virtual boost::asio::awaitable<void> changed() = 0;
};

}  // namespace parley::orchestration::turn
