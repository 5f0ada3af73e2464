#pragma once
// Reads one entry of "tools". A problem refuses the entry and is among the issues; warnings do not. Any
// thread that owns the state.

#include <optional>
#include <string>

#include "orchestration/tools/entry_reader.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// `key` is the name in a map of tools, empty in a list. Nullopt: refused, or switched off.
std::optional<ToolEntry> read_tool_entry(ReadingState& state, const inference::json::JsonObject& object,
                                         const std::string& key, const std::string& place);

// The wrapping of OpenAI's tools undone: {"type": "function", "function": {…}, …} as one object.
inference::json::JsonObject unwrapped_tool(const inference::json::JsonObject& object);

}  // namespace parley::orchestration::tools
