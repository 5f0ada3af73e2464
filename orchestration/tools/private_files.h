#pragma once
// What in a tools file no program of a tool is to see: the file itself, and the files that it takes secrets
// from. And where the programs of tools may write, since a link there is not to lead another one elsewhere.
// Plain functions; any thread.

#include <filesystem>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/tools/config_variables.h"
#include "orchestration/tools/tools_file.h"

namespace parley::orchestration::tools {

// The files that ${file:…} and "envFile" name anywhere in it, also in entries that are switched off or
// refused. May look variables up.
std::vector<std::filesystem::path> files_with_secrets(const inference::json::JsonValue& root,
                                                      ConfigVariables& variables);

// From every program that the file starts.
void hide_from_programs(ToolsFile& file, const std::vector<std::filesystem::path>& paths);

// Tells every program where any of them may write.
void tell_writable_folders(ToolsFile& file);

}  // namespace parley::orchestration::tools
