#pragma once
// A tool of an MCP server, as a model calls it. The server is started and kept alive by mcp/server.h; when it
// is down or has changed the tool, a call says so. Any thread, several calls at once.

#include <memory>
#include <string>
#include <vector>

#include "orchestration/mcp/server.h"
#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_entries.h"

namespace parley::orchestration::tools {

struct McpToolLimits {
  std::size_t max_text = 65536;      // bytes
  std::vector<std::string> secrets;  // never shown
};

// `entry` is the server's in the tools file. A call ends at its deadline; its time-out is for silence: each
// progress of the server starts it anew. The tool keeps the server only while a call runs; afterwards a call
// finds it gone where the file no longer names it.
std::shared_ptr<Tool> make_mcp_tool(const std::shared_ptr<mcp::McpServer>& server,
                                    mcp::ToolDefinition definition, const McpServerEntry& entry,
                                    McpToolLimits limits);

// Text of all parts, pictures apart; what cannot be shown is named.
ToolResult to_tool_result(const mcp::CallOutcome& outcome, const std::string& server,
                          const McpToolLimits& limits);

}  // namespace parley::orchestration::tools
