#pragma once
// Reads a tools file. A broken entry is left out, with its reason among the issues; a broken file gives
// `usable == false`, with the reason. Blocks for files; any thread. The file is never written.

#include <filesystem>
#include <string_view>

#include "orchestration/tools/config_variables.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// Refuses a file that others could change (trusted_file.h).
ToolsFile load_tools_file(const std::filesystem::path& path, const Environment& environment);

// `folder` is where relative paths start: that of the file.
ToolsFile parse_tools_file(std::string_view text, const std::filesystem::path& folder,
                           const Environment& environment);

// "error: tools.weather.command: …", for terminals and logs.
std::string issue_text(const ConfigIssue& issue);

}  // namespace parley::orchestration::tools
