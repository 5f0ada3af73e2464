#pragma once
// Runs a program once: input in, output out, and nothing of it left behind. Blocks; any thread, several at
// once. Whatever the program does (forks, starts sessions, ignores signals, floods, never ends) the call
// returns by the deadline plus 2 seconds with all its processes gone; only where processes that were killed
// do not get to end in that time (an uninterruptible wait, a machine with far too much to do) `still_ending`
// says so.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "orchestration/sandbox/program.h"

namespace parley::orchestration::sandbox {

inline constexpr std::size_t kMaxToldLine = 4096;  // bytes; a longer line is told without its rest

struct RunOptions {
  std::string input;               // written to standard input, then closed
  std::size_t max_output = 65536;  // bytes kept of standard output: the first and the last half
  std::size_t max_error = 4096;    // bytes kept of standard error: the last
  std::chrono::steady_clock::time_point deadline;
  std::stop_token stop;
  std::function<void(std::string_view line)> on_error_line;  // each line of standard error; may be empty
};

struct ProgramResult {
  enum class End : std::uint8_t {
    exited,     // `code` is the exit status
    signalled,  // `code` is the signal
    timed_out,
    stopped,     // by the stop token
    not_started  // `error` says why, and what to do
  };
  End end = End::not_started;
  int code = 0;
  std::string output;               // raw bytes: all of it, or head and tail
  std::size_t cut_at = 0;           // where in it the tail begins, when bytes were cut
  std::size_t cut_bytes = 0;        // between head and tail
  std::string error;                // the tail of standard error, raw bytes; or why it was not started
  std::size_t error_cut_bytes = 0;  // before that tail
  bool still_ending = false;        // what was killed had not ended when we stopped waiting
};

ProgramResult run_program(const Program& program, const RunOptions& options);

// Runs `true` behind the fence: once where that works, else again when 30 s have passed. Empty: it works;
// else a sentence that names what fails and what to do.
std::string fence_problem();

}  // namespace parley::orchestration::sandbox
