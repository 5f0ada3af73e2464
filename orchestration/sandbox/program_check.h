#pragma once
// What is wrong with a program before anything is started. Pure, but for looking at the paths. Any thread.

#include <filesystem>
#include <string>
#include <vector>

#include "orchestration/sandbox/program.h"

namespace parley::orchestration::sandbox {

// A sentence for the operator; empty: nothing.
std::string program_problem(const Program& program);

// Where links are not followed: its own writable folders, and those of other programs.
std::vector<std::filesystem::path> all_changeable(const Access& access);

}  // namespace parley::orchestration::sandbox
