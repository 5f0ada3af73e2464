#pragma once
// Short ways to run a program in tests.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/sandbox/run_program.h"

namespace parley::tests {

inline orchestration::sandbox::Program program_of(std::vector<std::string> argv,
                                                  orchestration::sandbox::Fence fence) {
  orchestration::sandbox::Program program;
  program.argv = std::move(argv);
  program.access.fence = fence;
  return program;
}

inline orchestration::sandbox::RunOptions within(std::chrono::milliseconds time) {
  orchestration::sandbox::RunOptions options;
  options.deadline = std::chrono::steady_clock::now() + time;
  return options;
}

}  // namespace parley::tests
