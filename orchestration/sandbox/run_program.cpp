#include "orchestration/sandbox/run_program.h"

#include <chrono>

#include "orchestration/sandbox/attempt_program.h"

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
  return problem + R"(. A tool with "sandbox": "none" runs without the fence)";
}

}  // namespace

const std::string& fence_problem() {
  static const std::string kProblem = probe_fence();
  return kProblem;
}

ProgramResult run_program(const Program& program, const RunOptions& options) {
  if (program.access.fence == Fence::bubblewrap && !fence_problem().empty()) {
    ProgramResult result;
    result.error = fence_problem();
    return result;
  }
  return attempt_program(program, options);
}

}  // namespace parley::orchestration::sandbox
