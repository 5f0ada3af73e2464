#pragma once
// How long one call of a tool may take. Plain, any thread; never fails.

#include <chrono>

#include "orchestration/tools/tool.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// Sets deadline and time-out of a call that begins now: the tool's own where it has one, else the file's
// callTimeout. A tool that is kept alive by its progress ends with the answer's loopWallTime at the latest.
void limit_call(CallContext& context, const ToolSpec& spec, const ToolLimits& limits,
                std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

}  // namespace parley::orchestration::tools
