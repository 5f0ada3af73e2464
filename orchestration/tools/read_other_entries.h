#pragma once
// Reads the smaller entries of a tools file. A problem refuses the entry and is among the issues. Any thread
// that owns the state. `index` counts the entries of its kind from 0.

#include <cstddef>
#include <optional>
#include <string>

#include "orchestration/tools/entry_reader.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

std::optional<OpenApiEntry> read_openapi_entry(ReadingState& state, const inference::json::JsonObject& object,
                                               std::size_t index, const std::string& place);
std::optional<DiscoverEntry> read_discover_entry(ReadingState& state,
                                                 const inference::json::JsonObject& object, std::size_t index,
                                                 const std::string& place);
std::optional<PermissionRule> read_permission(ReadingState& state, const inference::json::JsonObject& object,
                                              const std::string& place);
// What is wrong there keeps its default.
ToolLimits read_limits(ReadingState& state, const inference::json::JsonObject& object,
                       const std::string& place);

}  // namespace parley::orchestration::tools
