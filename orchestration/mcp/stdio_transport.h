#pragma once
// A server as a program of ours: one message a line on its standard input and output, standard error for
// people. Starts the program in start(); what fails comes as on_closed.

#include <functional>
#include <memory>

#include "orchestration/mcp/transport.h"
#include "orchestration/sandbox/piped_program.h"

namespace parley::orchestration::mcp {

// sandbox::start_piped_program, or what a test puts in its place.
using ProgramStarter = std::function<std::unique_ptr<sandbox::PipedProgram>(
    const sandbox::Program&, sandbox::PipedHandlers, const sandbox::PipedLimits&)>;

std::unique_ptr<Transport> make_stdio_transport(sandbox::Program program, ProgramStarter starter);

}  // namespace parley::orchestration::mcp
