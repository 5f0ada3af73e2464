#pragma once
// What a program that ran makes of itself as a tool's result. Pure, any thread; a program that fails is a
// result like any other, so that the model can act on it.

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "orchestration/sandbox/run_program.h"
#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_entries.h"

namespace parley::orchestration::tools {

struct ResultRules {
  std::string program;  // as people know it, for sentences
  CommandOutput output = CommandOutput::text;
  std::size_t max_output = 65536;
  std::chrono::milliseconds timeout{60000};  // for the sentence
  std::vector<std::string> secrets;
};

ToolResult command_result(const sandbox::ProgramResult& ran, const ResultRules& rules);

}  // namespace parley::orchestration::tools
