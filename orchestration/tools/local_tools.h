#pragma once
// The tools that need nothing but this machine: commands, built-ins, and what listing programs discover,
// which run in the background whenever the file is read, and again where they failed. A source of the
// registry; used as one. Where programs cannot be fenced in, that is an issue before the first is called.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orchestration/tools/builtin_tools.h"
#include "orchestration/tools/command_tool.h"
#include "orchestration/tools/tool_source.h"

namespace parley::orchestration::tools {

struct LocalToolOptions {
  CommandSurroundings commands;  // its secrets are those of the file, whatever stands here
  BuiltinSurroundings builtins;
  std::function<std::string()> fence_problem = sandbox::fence_problem;
  std::chrono::milliseconds retry_pause{30000};  // of a listing, and of the fence's probe
};

std::unique_ptr<ToolSource> make_local_tools(LocalToolOptions options);

}  // namespace parley::orchestration::tools
