#pragma once
// The way from the keeper's child to the program. Each step that fails is reported and ends the process.

#include <sys/types.h>

#include "orchestration/sandbox/keeper/plan.h"

namespace parley::orchestration::sandbox::keeper {

// In the child: a session of its own, the unprivileged user, the limits, then the fence, or the program
// itself when there is none.
[[noreturn]] void start_program(const Plan& plan, pid_t keeper);

// Inside the fence, or in its place: the limit on processes, the filter, every descriptor closed, the
// program.
[[noreturn]] void enter_program(const Plan& plan);

}  // namespace parley::orchestration::sandbox::keeper
