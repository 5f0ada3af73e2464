#pragma once
// Tools that a program of the operator's lists (the convention of Gemini CLI): one program prints function
// declarations as JSON, another runs one by name, with the arguments as JSON on its standard input. Blocks;
// any thread.

#include <stop_token>
#include <string_view>
#include <vector>

#include "orchestration/tools/command_tool.h"
#include "orchestration/tools/tool_set.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

struct DiscoveredTools {
  std::vector<CommandEntry> tools;
  std::vector<ConfigIssue> issues;
  bool failed = false;  // there is no list at all
};

// Runs the listing program. `stop` ends it.
DiscoveredTools discover_tools(const DiscoverEntry& entry, const CommandSurroundings& surroundings,
                               const std::stop_token& stop = {});

// A list of declarations, plain, wrapped as OpenAI does, or in {"functionDeclarations": […]} objects.
DiscoveredTools read_declarations(std::string_view json, const DiscoverEntry& entry);

}  // namespace parley::orchestration::tools
