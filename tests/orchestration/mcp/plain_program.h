#pragma once
// A piped program without a fence, for tests of the stdio transport: fork, exec, two reader threads. It keeps
// the contract of sandbox/piped_program.h but for the limits.

#include <memory>

#include "orchestration/sandbox/piped_program.h"

namespace parley::orchestration::mcp {

std::unique_ptr<sandbox::PipedProgram> start_plain_program(const sandbox::Program& program,
                                                           sandbox::PipedHandlers handlers,
                                                           const sandbox::PipedLimits& limits);

}  // namespace parley::orchestration::mcp
