#include "orchestration/sandbox/run_program.h"

#include <chrono>
#include <utility>

#include "orchestration/sandbox/attempt_program.h"
#include "orchestration/sandbox/fence_probe.h"

namespace parley::orchestration::sandbox {

namespace {

constexpr std::chrono::seconds kProbeTime{10};

std::string probe_fence() {
  Program program;
  program.argv = {"/usr/bin/true"};
  RunOptions options;
  options.deadline = std::chrono::steady_clock::now() + kProbeTime;
  const ProgramResult result = attempt_program(program, options);
  if (result.end == ProgramResult::End::exited && result.code == 0) return "";
  std::string problem = "programs cannot be fenced in here: ";
  if (result.end == ProgramResult::End::not_started) {
    problem += result.error;
  } else {
    problem += "/usr/bin/true did not run inside (code " + std::to_string(result.code) + ") " + result.error;
  }
  return problem +
         R"(. This is tried again every 30 s; a tool with "sandbox": "none" runs without the fence)";
}

}  // namespace

// The one state of the process here: what its kernel and its installed programs permit is the same for all.
std::string fence_problem() {
  static FenceProbe probe(probe_fence);
  return probe.problem();
}

ProgramResult run_program(const Program& program, const RunOptions& options) {
  if (program.access.fence == Fence::none) return attempt_program(program, options);
  std::string problem = fence_problem();
  if (problem.empty()) return attempt_program(program, options);
  ProgramResult result;
  result.error = std::move(problem);
  return result;
}

}  // namespace parley::orchestration::sandbox
