#pragma once
// The tools that are part of the program: calculator, current_time, read_tool_output. Immutable after
// construction, any thread, several calls at once. What fails is a result.

#include <chrono>
#include <functional>
#include <memory>

#include "orchestration/tools/stored_outputs.h"
#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_entries.h"

namespace parley::orchestration::tools {

struct BuiltinSurroundings {
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;
  // Shared with the loop that stores them, and outlives it in a running call. Nullptr: nothing is stored.
  std::shared_ptr<const StoredOutputs> outputs;
};

// `entry.builtin` is one of builtin_names.h. A description given in the file wins over the tool's own;
// parameters are always its own.
std::unique_ptr<Tool> make_builtin_tool(const BuiltinEntry& entry, BuiltinSurroundings surroundings);

}  // namespace parley::orchestration::tools
