#pragma once
// The tools that are part of the program. Constant, any thread.

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

// Reads the outputs that a conversation keeps; of no use to whoever has none.
inline constexpr std::string_view kOutputReader = "read_tool_output";

bool is_builtin(std::string_view name);
std::string builtin_list();  // for messages: "calculator", …

}  // namespace parley::orchestration::tools
