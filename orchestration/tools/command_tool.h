#pragma once
// A tool that is a program: arguments become words of it, or JSON on its standard input. There is no shell.
// Immutable after construction, any thread, several calls at once. What fails is a result.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orchestration/sandbox/run_program.h"
#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_entries.h"

namespace parley::orchestration::tools {

using RunProgram = std::function<sandbox::ProgramResult(const sandbox::Program&, const sandbox::RunOptions&)>;

// What all programs of a server have in common.
struct CommandSurroundings {
  RunProgram run = sandbox::run_program;
  std::vector<std::filesystem::path> hidden;  // Parley's own: never to be seen by a tool
  std::filesystem::path config_folder;        // Parley's: seen where an entry names something in it
  std::vector<std::string> secrets;           // values never to be shown
};

// The program as it is started, without its call's words.
sandbox::Program program_of(const Launch& launch, const CommandSurroundings& surroundings);

std::unique_ptr<Tool> make_command_tool(CommandEntry entry, CommandSurroundings surroundings,
                                        std::string source = "command");

}  // namespace parley::orchestration::tools
