#pragma once
// Asks a server for all its tools, page by page, within bounds. Blocks; any thread. A failure is a sentence;
// a single bad tool is left out and noted in the log.

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "orchestration/mcp/session.h"
#include "orchestration/mcp/tool_definition.h"

namespace parley::orchestration::mcp {

struct ToolList {
  static constexpr int kMaxPages = 128;
  static constexpr std::size_t kMaxTools = 1000;
  static constexpr std::size_t kMaxBytes = std::size_t{8} << 20;  // of all definitions

  std::vector<ToolDefinition> tools;  // by name, so that the prompt they are in stays the same
  // How long the server calls it fresh (the shortest of its pages); nullopt: it does not say.
  std::optional<std::chrono::milliseconds> fresh_for;

  const ToolDefinition* find(std::string_view name) const;
};

std::variant<ToolList, std::string> list_tools(Session& session, ServerLog& log, const Wait& wait);

}  // namespace parley::orchestration::mcp
