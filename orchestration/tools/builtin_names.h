#pragma once
// The tools that are part of the program. Constant, any thread.

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

bool is_builtin(std::string_view name);
std::string builtin_list();  // for messages: "calculator", …

}  // namespace parley::orchestration::tools
