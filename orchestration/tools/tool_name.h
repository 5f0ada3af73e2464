#pragma once
// Names that a model can call: 1 to 64 of A-Z a-z 0-9 _ -. The mapping is stable: the same name always
// becomes the same. Pure, any thread; never fails.

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

bool is_tool_name(std::string_view name);

// Each other byte becomes "_"; of what is too long the front stays, with a hash of the whole behind it.
std::string mapped_name(std::string_view name);

// The name of a server's (or a description's) tool: server_tool.
std::string mapped_name(std::string_view server, std::string_view tool);

}  // namespace parley::orchestration::tools
