#include "orchestration/sandbox/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "orchestration/sandbox/left_keepers.h"
#include "orchestration/sandbox/pipe_signal.h"

namespace parley::orchestration::sandbox {

namespace {

constexpr std::size_t kReadAtOnce = 65536;
constexpr int kMaxLastPieces = 32;
constexpr std::size_t kMaxFenceWords = 1024;
constexpr int kSignalBase = 128;  // bubblewrap exits with this and the signal that ended the program
constexpr int kLastSignal = 64;

// poll's time-out, rounded up so that we do not spin before `until`.
int milliseconds_until(Supervisor::Clock::time_point until) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(until - Supervisor::Clock::now());
  return static_cast<int>(std::clamp(left, milliseconds(0), milliseconds(60000)).count());
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// bubblewrap's own words when it cannot build the fence.
std::string fence_failure(std::string_view words) {
  std::string text = "the fence cannot be built: " + first_line(words);
  const bool is_namespace = words.find("namespace") != std::string_view::npos;
  if (is_namespace || words.find("uid map") != std::string_view::npos) {
    text +=
        "; this system does not permit user namespaces: allow them (sysctl "
        "kernel.unprivileged_userns_clone=1, "
        "kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0; in a container "
        "its "
        "seccomp and AppArmor profiles)";
  }
  return text;
}

}  // namespace

Supervisor::Supervisor(const Program& program, Sinks sinks)
    : program_(program), sinks_(std::move(sinks)), home_(program.access, tool_user()) {
  reap_left_keepers();
  launch_.problem = home_.problem();
  if (launch_.problem.empty()) launch_ = launch(program, home_.path());
  if (launch_.problem.empty()) return;
  outcome_.problem = launch_.problem;
  running_ = false;
}

Supervisor::~Supervisor() {
  if (!running_) return;
  sinks_ = {[](std::string_view) {}, [](std::string_view) {}};  // they may be why it ends: they have thrown
  end();
  launch_.control.close();
  while (running_) step(-1, Clock::now() + kGrace);
}

void Supervisor::step(int wake, Clock::time_point until) {
  if (!running_) return;
  until = std::min(until, ended_at_ == Clock::time_point::max() ? until : ended_at_ + kGrace);
  if (!launch_.control.is_open()) until = std::min(Clock::now() + kGrace, ended_at_ + kPatience);
  const bool has_input = queued_input() > 0;
  std::array<pollfd, 6> waited = {{{launch_.keeper.number(), POLLIN, 0},
                                   {launch_.reports.number(), POLLIN, 0},
                                   {launch_.output.number(), POLLIN, 0},
                                   {launch_.error.number(), POLLIN, 0},
                                   {has_input ? launch_.input.number() : -1, POLLOUT, 0},
                                   {wake, POLLIN, 0}}};
  if (input_finished_ && !has_input) close_input();
  ::poll(waited.data(), waited.size(), milliseconds_until(until));
  if (waited[1].revents != 0) read_reports();
  if (waited[2].revents != 0) read_stream(launch_.output, sinks_.output);
  if (waited[3].revents != 0) read_stream(launch_.error, sinks_.error);
  if (waited[4].revents != 0) write_input();
  if (waited[0].revents != 0) finish();
  kill_when_due(Clock::now());
}

void Supervisor::kill_when_due(Clock::time_point now) {
  if (ended_at_ == Clock::time_point::max() || !running_) return;
  if (now >= ended_at_ + kGrace && launch_.control.is_open()) {
    launch_.control.close();
    // Without a fence, a program of our own user may have stopped the keeper.
    ::syscall(SYS_pidfd_send_signal, launch_.keeper.number(), SIGCONT, nullptr, 0);
  }
  lost_patience_ = now >= ended_at_ + kPatience;
  if (!lost_patience_) return;
  running_ = false;
  leave_keeper(std::move(launch_.keeper));
}

void Supervisor::write_input() {
  const PipeSignalBlocked blocked;
  const std::string_view rest = std::string_view(input_).substr(input_start_);
  const ssize_t written = ::write(launch_.input.number(), rest.data(), rest.size());
  if (written < 0 && errno != EAGAIN && errno != EINTR) close_input();  // it does not want to read
  if (written <= 0) return;
  input_start_ += static_cast<std::size_t>(written);
  if (input_start_ >= input_.size() / 2) {
    input_.erase(0, input_start_);
    input_start_ = 0;
  }
}

void Supervisor::close_input() {
  launch_.input.close();
  input_.clear();
  input_start_ = 0;
}

// One piece at a time, so that endless output cannot keep us from deadlines.
std::ptrdiff_t Supervisor::read_stream(Descriptor& stream, const Sink& sink) {
  std::array<char, kReadAtOnce> buffer;
  const ssize_t size = ::read(stream.number(), buffer.data(), buffer.size());
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) stream.close();
  if (size <= 0) return size;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(size));
  if (!entered_)
    fence_words_ += bytes.substr(0, kMaxFenceWords - std::min(kMaxFenceWords, fence_words_.size()));
  sink(bytes);
  return size;
}

void Supervisor::read_reports() {
  Report report;  // shorter than what a pipe writes in one piece
  const ssize_t size = ::read(launch_.reports.number(), &report, sizeof report);
  if (size == sizeof report) take_report(report);
  if (size == 0) launch_.reports.close();
}

void Supervisor::take_report(const Report& report) {
  if (report.kind == Report::Kind::entered) {
    entered_ = true;
  } else if (report.kind == Report::Kind::failed) {
    failed_ = true;
    if (outcome_.problem.empty()) outcome_.problem = failure_text(report, program_, launch_);
  } else if (!failed_) {
    take_end(report.value);
  }
}

void Supervisor::take_end(int status) {
  fence_failed_ = !entered_ && WIFEXITED(status);
  if (fence_failed_) return;  // why, standard error has to be read for to its end
  const bool fenced = program_.access.fence == Fence::bubblewrap;
  const bool signalled = WIFSIGNALED(status);
  const int code = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  if (signalled || (fenced && code > kSignalBase && code <= kSignalBase + kLastSignal)) {
    outcome_ = {Outcome::Kind::signalled, signalled ? code : code - kSignalBase, ""};
  } else {
    outcome_ = {Outcome::Kind::exited, code, ""};
  }
}

void Supervisor::end() {
  if (ended_at_ != Clock::time_point::max() || !running_) return;
  ended_at_ = Clock::now();
  const PipeSignalBlocked blocked;
  if (::write(launch_.control.number(), &kTerminate, 1) != 1) launch_.control.close();
}

// What is left in the pipe. Bounded: without a fence a program may have handed its end to somebody else.
void Supervisor::drain(Descriptor& stream, const Sink& sink) {
  for (int piece = 0; piece < kMaxLastPieces && stream.is_open(); ++piece) {
    if (read_stream(stream, sink) <= 0) return;
  }
}

// The keeper has ended, so every process has: what is in the pipes is all that comes.
void Supervisor::finish() {
  siginfo_t info = {};
  ::waitid(P_PIDFD, static_cast<id_t>(launch_.keeper.number()), &info, WEXITED);
  while (launch_.reports.is_open()) {
    Report report;
    if (::read(launch_.reports.number(), &report, sizeof report) != sizeof report) break;
    take_report(report);
  }
  drain(launch_.output, sinks_.output);
  drain(launch_.error, sinks_.error);
  if (fence_failed_) {
    outcome_.problem = fence_failure(fence_words_);
  } else if (outcome_.kind == Outcome::Kind::not_started && outcome_.problem.empty()) {
    outcome_ = {Outcome::Kind::signalled, SIGKILL, ""};  // the keeper itself was killed
  }
  running_ = false;
}

}  // namespace parley::orchestration::sandbox
