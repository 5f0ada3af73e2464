#pragma once
// Reads one MCP server, as Claude Desktop, Claude Code, Cursor, VS Code, LM Studio, Gemini CLI, opencode and
// their kin write it. A problem refuses the entry and is among the issues. Any thread that owns the state.

#include <optional>
#include <string>

#include "orchestration/tools/entry_reader.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

std::optional<McpServerEntry> read_mcp_server(ReadingState& state, const inference::json::JsonObject& object,
                                              const std::string& name, const std::string& place);

}  // namespace parley::orchestration::tools
