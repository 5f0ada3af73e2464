#pragma once
// A program that stays and is talked to in lines: a stdio MCP server. The lines come on a thread of its own.
// start throws nothing: a program that could not be started ends at once with the reason.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "orchestration/sandbox/program.h"

namespace parley::orchestration::sandbox {

struct PipedHandlers {
  // Called on the program's own thread, one at a time; they must not block for long and not destroy the
  // program. What they throw ends it.
  std::function<void(std::string_view line)> on_line;        // of standard output, without the newline
  std::function<void(std::string_view line)> on_error_line;  // of standard error
  // Last, once: "exited with status 1", "a line is too long"; on the caller's thread where there is no other.
  std::function<void(std::string reason)> on_end;
};

struct PipedLimits {
  std::size_t max_line = std::size_t{10} << 20;    // a longer line ends the program
  std::size_t max_queued = std::size_t{16} << 20;  // bytes waiting to be written
};

class PipedProgram {
 public:
  // Closes standard input, then TERM, then KILL (within 2 s in all); on_end has been called when this
  // returns.
  virtual ~PipedProgram() = default;
  // Any thread, does not block. False when the program has ended, or reads so slowly that max_queued is
  // passed.
  virtual bool write_line(std::string_view line) = 0;
};

std::unique_ptr<PipedProgram> start_piped_program(const Program& program, PipedHandlers handlers,
                                                  const PipedLimits& limits = {});

}  // namespace parley::orchestration::sandbox
