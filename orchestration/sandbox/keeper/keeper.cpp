// The keeper: a small program between Parley and one program that it runs. It is the subreaper of everything
// that program starts, tells Parley how the program ended, and ends itself only when all are gone: its end is
// the proof. When Parley goes, its control pipe ends, and so does everything.
//
// It is a program of its own, embedded in Parley and started from memory, because Parley has many threads and
// gigabytes of memory: a fork of it that stays would keep a copy of every page that Parley writes, and a fork
// that shares its memory (vfork) must not change the user id.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orchestration/sandbox/keeper/enter.h"
#include "orchestration/sandbox/keeper/plan.h"
#include "orchestration/sandbox/keeper/process_tree.h"
#include "orchestration/sandbox/keeper/stage_paths.h"

namespace parley::orchestration::sandbox::keeper {

namespace {

constexpr int kRoundsBetweenLooks = 16;
constexpr int kFenceDepth = 3;  // bubblewrap, its first process inside, and below it the program

// Where we may (as root): to end programs that take all the processor time there is. The scheduler weighs
// whole sessions where it groups by them (autogroup), processes otherwise; the program's session begins anew.
void go_first() {
  setpriority(PRIO_PROCESS, 0, -10);
  const int file = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "-10", 3);
  close(file);
}

int child_signals() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  const int descriptor = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor < 0) fail(Step::fork, errno);
  return descriptor;
}

// Reaps orphans that have ended. True when the program itself has: it stays unreaped, so that its number
// keeps naming its process group.
bool program_ended(pid_t program) {
  for (;;) {
    siginfo_t info = {};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return false;
    if (info.si_pid == program) return true;
    waitpid(info.si_pid, nullptr, 0);
  }
}

// Until the program has ended or Parley wants no more of it.
void watch(pid_t program, int signals, bool fenced) {
  pollfd waited[2] = {{signals, POLLIN, 0}, {control_descriptor, POLLIN, 0}};
  for (;;) {
    if (poll(waited, 2, -1) < 0 && errno != EINTR) return;
    signalfd_siginfo ignored;
    while (read(signals, &ignored, sizeof ignored) > 0) {
    }
    if (program_ended(program)) return;
    if (waited[1].revents == 0) continue;
    char command = 0;
    const ssize_t size = read(control_descriptor, &command, 1);
    if (size == 0 || (size < 0 && errno != EINTR)) return;
    if (size == 1 && command == kTerminate) signal_below(fenced ? kFenceDepth : 1, SIGTERM);
  }
}

void report_end(int status) { report({Report::Kind::ended, Step::program, status, 0}); }

// Returns when no process is left below us. In principle it is enough to kill children until there are none:
// the first process of a fence takes all with it. But it would have to be scheduled for that, beside all
// those that a fork bomb keeps running, so everything is killed by number as well, now and then.
void end_all(pid_t program, int signals) {
  kill(-program, SIGKILL);  // at once for all in the group, before it can grow
  kill(program, SIGKILL);   // where it has no group yet
  pollfd waited = {signals, POLLIN, 0};
  for (int round = 0;; ++round) {
    if (round % kRoundsBetweenLooks == 0) signal_below(1, SIGKILL);
    int status = 0;
    pid_t reaped = 0;
    while ((reaped = waitpid(-1, &status, WNOHANG)) > 0) {
      if (reaped == program) report_end(status);
    }
    if (reaped < 0 && errno == ECHILD) return;
    kill_children();
    poll(&waited, 1, 5);
    signalfd_siginfo ignored;
    while (read(signals, &ignored, sizeof ignored) > 0) {
    }
  }
}

int keep() {
  signal(SIGPIPE, SIG_IGN);
  const Plan plan = read_plan();
  go_first();
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail(Step::fork, errno);
  const int signals = child_signals();
  const bool fenced = plan.header->fenced != 0;
  if (fenced && plan.header->user != 0) stage_paths(plan);
  const pid_t keeper = getpid();
  const pid_t program = fork();
  if (program < 0) fail(Step::fork, errno);
  if (program == 0) start_program(plan, keeper);
  // The program's streams are the program's alone: their ends must be seen.
  for (int stream = 0; stream <= 2; ++stream) close(stream);
  close(keeper_descriptor);
  syscall(SYS_close_range, static_cast<unsigned>(first_data_descriptor), static_cast<unsigned>(signals) - 1,
          0);
  watch(program, signals, fenced);
  end_all(program, signals);
  return 0;
}

}  // namespace

}  // namespace parley::orchestration::sandbox::keeper

int main(int argc, char** argv) {
  using namespace parley::orchestration::sandbox::keeper;
  if (argc > 1 && strcmp(argv[1], "enter") == 0) enter_program(read_plan());
  return keep();
}
