#include "orchestration/sandbox/attempt_program.h"

#include <optional>
#include <utility>

#include "orchestration/sandbox/descriptor.h"
#include "orchestration/sandbox/kept_output.h"
#include "orchestration/sandbox/line_splitter.h"
#include "orchestration/sandbox/program_check.h"
#include "orchestration/sandbox/supervisor.h"

namespace parley::orchestration::sandbox {

namespace {

using End = ProgramResult::End;

// Until nothing of the program is left. Why we ended it, if we did.
std::optional<End> supervise(Supervisor& supervisor, const RunOptions& options) {
  const Descriptor stopped = make_event();
  const std::stop_callback wake(options.stop, [&] { signal_event(stopped); });
  std::optional<End> ended;
  while (supervisor.running()) {
    if (!ended && options.stop.stop_requested()) ended = End::stopped;
    if (!ended && Supervisor::Clock::now() >= options.deadline) ended = End::timed_out;
    if (ended) supervisor.end();
    supervisor.step(ended ? -1 : stopped.number(),
                    ended ? Supervisor::Clock::time_point::max() : options.deadline);
  }
  return ended;
}

End end_of(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::exited) return End::exited;
  return outcome.kind == Outcome::Kind::signalled ? End::signalled : End::not_started;
}

ProgramResult not_started(std::string problem) {
  ProgramResult result;
  result.error = std::move(problem);
  return result;
}

}  // namespace

ProgramResult attempt_program(const Program& program, const RunOptions& options) {
  if (std::string problem = program_problem(program); !problem.empty())
    return not_started(std::move(problem));
  KeptOutput output(options.max_output - options.max_output / 2, options.max_output / 2);
  KeptOutput error(0, options.max_error);
  LineSplitter lines(kMaxToldLine, LineSplitter::LongLine::cut);
  const auto take_output = [&](std::string_view bytes) { output.append(bytes); };
  const auto take_error = [&](std::string_view bytes) {
    error.append(bytes);
    if (options.on_error_line) lines.append(bytes, options.on_error_line);
  };
  Supervisor supervisor(program, {take_output, take_error});
  supervisor.queue_input(options.input);
  supervisor.finish_input();
  const std::optional<End> ended = supervise(supervisor, options);
  const Outcome& outcome = supervisor.outcome();
  ProgramResult result;
  result.end = ended.value_or(end_of(outcome));
  if (result.end == End::not_started) return not_started(outcome.problem);
  if (options.on_error_line) lines.finish(options.on_error_line);
  result.code = outcome.code;
  result.output = output.text();
  result.cut_at = output.cut_at();
  result.cut_bytes = output.cut_bytes();
  result.error = error.text();
  result.error_cut_bytes = error.cut_bytes();
  result.still_ending = supervisor.lost_patience();
  return result;
}

}  // namespace parley::orchestration::sandbox
