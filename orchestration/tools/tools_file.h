#pragma once
// The tools file as a whole. Plain data, immutable once read (read_tools_file.h).

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "orchestration/tools/tool_entries.h"

namespace parley::orchestration::tools {

// Something to tell the operator. An error says that one entry (or the file) is not used.
struct ConfigIssue {
  enum class Severity : std::uint8_t { warning, error };
  Severity severity = Severity::warning;
  std::string place;    // "tools.weather.command[2]"; empty: the file as a whole
  std::string message;  // what is wrong and what to do
};

struct PermissionRule {
  std::string tool;    // glob over the names that the model sees
  std::string source;  // only tools of this ToolSpec::source; empty: any
  Decision decision = Decision::ask;
};

struct ToolLimits {
  int max_rounds = 25;
  int max_parallel = 4;
  std::chrono::milliseconds call_timeout{60000};
  int result_tokens = 2000;
  int repeat_limit = 3;
  std::chrono::milliseconds loop_wall_time{600000};
};

struct ToolsFile {
  std::vector<ToolEntry> tools;
  std::vector<McpServerEntry> mcp_servers;
  std::vector<OpenApiEntry> openapi;
  std::vector<DiscoverEntry> discover;
  std::vector<PermissionRule> permissions;  // those that the entries imply included
  ToolLimits limits;
  std::vector<std::string> secrets;  // values never to be shown: from variables, files, secret-looking names
  std::vector<ConfigIssue> issues;
  bool usable = true;        // false: an issue about the file as a whole, and nothing above
  std::string content_hash;  // SHA-256 of the bytes read
};

}  // namespace parley::orchestration::tools
