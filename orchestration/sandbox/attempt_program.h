#pragma once
// run_program without asking first whether the fence works: what run_program and the probe of the fence have
// in common. Thread rule and failure rule as there.

#include "orchestration/sandbox/run_program.h"

namespace parley::orchestration::sandbox {

ProgramResult attempt_program(const Program& program, const RunOptions& options);

}  // namespace parley::orchestration::sandbox
