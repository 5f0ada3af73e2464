#include "orchestration/sandbox/piped_program.h"

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "orchestration/sandbox/descriptor.h"
#include "orchestration/sandbox/line_splitter.h"
#include "orchestration/sandbox/program_check.h"
#include "orchestration/sandbox/run_program.h"
#include "orchestration/sandbox/supervisor.h"

namespace parley::orchestration::sandbox {

namespace {

using Clock = Supervisor::Clock;

constexpr std::chrono::milliseconds kTimeToLeave{250};  // from the end of its input to SIGTERM
constexpr std::size_t kMaxErrorLine = 65536;            // a longer one is told without its rest

std::string end_text(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::exited:
      return "exited with status " + std::to_string(outcome.code);
    case Outcome::Kind::signalled:
      return "ended by signal " + std::to_string(outcome.code);
    default:
      return outcome.problem;
  }
}

std::string start_problem(const Program& program) {
  std::string problem = program_problem(program);
  if (problem.empty() && program.access.fence == Fence::bubblewrap) problem = fence_problem();
  return problem;
}

class NeverStarted final : public PipedProgram {
 public:
  bool write_line(std::string_view) override { return false; }
};

// The thread owns the supervisor; what crosses over is behind the mutex.
class ThreadedProgram final : public PipedProgram {
 public:
  ThreadedProgram(Program program, PipedHandlers handlers, const PipedLimits& limits)
      : program_(std::move(program)),
        handlers_(std::move(handlers)),
        limits_(limits),
        wake_(make_event()),
        thread_([this] { run(); }) {}

  ~ThreadedProgram() override {
    {
      const std::scoped_lock lock(mutex_);
      closing_ = true;
    }
    signal_event(wake_);
    thread_.join();
  }

  bool write_line(std::string_view line) override {
    {
      const std::scoped_lock lock(mutex_);
      if (ended_ || unwritten_ + line.size() + 1 > limits_.max_queued) return false;
      queue_.append(line);
      queue_ += '\n';
      unwritten_ += line.size() + 1;
    }
    signal_event(wake_);
    return true;
  }

 private:
  void run() {
    std::string reason;
    try {
      reason = start_problem(program_);
      if (reason.empty()) reason = supervise();
    } catch (const std::exception& error) {  // memory or threads have run out: this program ends, not Parley
      reason = std::string("Parley could not go on with it: ") + error.what();
    }
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    if (handlers_.on_end) handlers_.on_end(std::move(reason));
  }

  std::string supervise() {
    LineSplitter lines(limits_.max_line, LineSplitter::LongLine::refuse);
    LineSplitter error_lines(kMaxErrorLine, LineSplitter::LongLine::cut);
    bool too_long = false;
    const auto on_line = [this](std::string_view line) { tell(handlers_.on_line, line); };
    const auto on_error_line = [this](std::string_view line) { tell(handlers_.on_error_line, line); };
    Supervisor supervisor(
        program_, {[&](std::string_view bytes) { too_long = !lines.append(bytes, on_line) || too_long; },
                   [&](std::string_view bytes) { error_lines.append(bytes, on_error_line); }});
    Clock::time_point leave_by = Clock::time_point::max();
    while (supervisor.running()) {
      if (take_orders(supervisor) && leave_by == Clock::time_point::max())
        leave_by = Clock::now() + kTimeToLeave;
      if (too_long || Clock::now() >= leave_by) supervisor.end();
      supervisor.step(wake_.number(), leave_by > Clock::now() ? leave_by : Clock::time_point::max());
    }
    lines.finish(on_line);
    error_lines.finish(on_error_line);
    if (too_long) return "a line is longer than " + std::to_string(limits_.max_line) + " bytes";
    return end_text(supervisor.outcome());
  }

  static void tell(const std::function<void(std::string_view)>& handler, std::string_view line) {
    if (handler) handler(line);
  }

  // True: the owner wants it to end.
  bool take_orders(Supervisor& supervisor) {
    clear_event(wake_);
    const std::scoped_lock lock(mutex_);
    supervisor.queue_input(queue_);
    queue_.clear();
    unwritten_ = supervisor.queued_input();
    if (closing_) supervisor.finish_input();
    return closing_;
  }

  const Program program_;
  const PipedHandlers handlers_;
  const PipedLimits limits_;
  const Descriptor wake_;
  std::mutex mutex_;
  std::string queue_;          // what the thread has not taken yet
  std::size_t unwritten_ = 0;  // with what it has taken and not written
  bool closing_ = false;
  bool ended_ = false;
  std::thread thread_;  // last, so that it finds everything above
};

}  // namespace

std::unique_ptr<PipedProgram> start_piped_program(const Program& program, PipedHandlers handlers,
                                                  const PipedLimits& limits) {
  const auto on_end = handlers.on_end;
  try {
    return std::make_unique<ThreadedProgram>(program, std::move(handlers), limits);
  } catch (const std::system_error& error) {
    if (on_end) on_end(std::string("no thread is left for it: ") + error.what());
    return std::make_unique<NeverStarted>();
  }
}

}  // namespace parley::orchestration::sandbox
