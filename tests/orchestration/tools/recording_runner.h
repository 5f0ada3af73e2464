#pragma once
// A runner of programs that keeps what it was asked to run and answers as told.

#include <memory>
#include <utility>
#include <vector>

#include "orchestration/tools/command_tool.h"

namespace parley::orchestration::tools {

struct Recording {
  sandbox::ProgramResult answer = {};
  std::vector<std::string> error_lines = {};
  std::vector<sandbox::Program> programs = {};
  std::vector<sandbox::RunOptions> options = {};
};

inline CommandSurroundings recorded(const std::shared_ptr<Recording>& recording) {
  CommandSurroundings surroundings;
  surroundings.run = [recording](const sandbox::Program& program, const sandbox::RunOptions& options) {
    recording->programs.push_back(program);
    recording->options.push_back(options);
    for (const std::string& line : recording->error_lines) {
      if (options.on_error_line) options.on_error_line(line);
    }
    return recording->answer;
  };
  return surroundings;
}

inline sandbox::ProgramResult printed(std::string output) {
  sandbox::ProgramResult ran;
  ran.end = sandbox::ProgramResult::End::exited;
  ran.output = std::move(output);
  return ran;
}

inline CallContext call_within(std::chrono::milliseconds time) {
  return {.deadline = std::chrono::steady_clock::now() + time, .stop = {}};
}

}  // namespace parley::orchestration::tools
