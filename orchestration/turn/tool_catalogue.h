#pragma once
// The tools that chats may use, as clients are told of them and as turns take them. I/O thread; never fails.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "orchestration/tools/tool_entries.h"
#include "orchestration/tools/tool_registry.h"

namespace parley::orchestration::turn {

struct OfferedTool {
  std::string name;
  std::string description;
  std::string source;  // tools::ToolSpec::source
  tools::Decision policy = tools::Decision::ask;
  int tokens = 0;       // of its description in the prompt, about
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
  std::vector<ToolServer> servers;
  std::vector<std::string> problems;  // of the file and its entries: sentences

  bool operator==(const ToolSnapshot&) const = default;
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
