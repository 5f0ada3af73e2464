#pragma once
// The tools that need nothing but this machine: commands, built-ins, and what listing programs discover. A
// source of the registry; used as one.

#include <memory>
#include <vector>

#include "orchestration/tools/builtin_tools.h"
#include "orchestration/tools/command_tool.h"
#include "orchestration/tools/tool_source.h"

namespace parley::orchestration::tools {

struct LocalToolOptions {
  CommandSurroundings commands;  // its secrets are those of the file, whatever stands here
  BuiltinSurroundings builtins;
};

std::unique_ptr<ToolSource> make_local_tools(LocalToolOptions options);

}  // namespace parley::orchestration::tools
