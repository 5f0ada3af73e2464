#pragma once
// The plan as the keeper reads it: pointers into the mapped memory file. One thread. An unreadable plan ends
// the process with a report.

#include <cstddef>

#include "orchestration/sandbox/launch_plan.h"

namespace parley::orchestration::sandbox::keeper {

struct Plan {
  const PlanHeader* header = nullptr;
  char** arguments = nullptr;  // each list ends with a null pointer
  char** variables = nullptr;
  char** fence_arguments = nullptr;
  const char* working_directory = nullptr;
  char** paths = nullptr;
  const char* filter = nullptr;
};

Plan read_plan();

void report(const Report& report);
[[noreturn]] void fail(Step step, int error, std::size_t index = 0);

}  // namespace parley::orchestration::sandbox::keeper
