#pragma once
// What is wrong with a program before anything is started. Pure, but for looking at the paths. Any thread.

#include <string>

#include "orchestration/sandbox/program.h"

namespace parley::orchestration::sandbox {

// A sentence for the operator; empty: nothing.
std::string program_problem(const Program& program);

}  // namespace parley::orchestration::sandbox
