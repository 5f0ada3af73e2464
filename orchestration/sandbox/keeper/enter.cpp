#include "orchestration/sandbox/keeper/enter.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "orchestration/sandbox/keeper/landlock.h"
#include "orchestration/sandbox/keeper/process_tree.h"

namespace parley::orchestration::sandbox::keeper {

namespace {

void reset_signals() {
  for (int signal_number = 1; signal_number < NSIG; ++signal_number) {
    if (signal_number != SIGKILL && signal_number != SIGSTOP) signal(signal_number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// When memory runs out on the machine, programs of tools go first. A kernel that refuses loses us nothing.
void prefer_for_out_of_memory() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
  close(file);
}

void change_user(const PlanHeader& header) {
  if (header.user == 0) return;
  if (setgroups(0, nullptr) != 0) fail(Step::user, errno);
  if (setresgid(header.group, header.group, header.group) != 0) fail(Step::user, errno);
  if (setresuid(header.user, header.user, header.user) != 0) fail(Step::user, errno);
}

// Where the hard limit is lower already, it stays.
void limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  rlimit now = {};
  if (getrlimit(resource, &now) != 0) fail(Step::limits, errno);
  const rlimit lowered = {soft < now.rlim_max ? soft : now.rlim_max,
                          hard < now.rlim_max ? hard : now.rlim_max};
  if (setrlimit(resource, &lowered) != 0) fail(Step::limits, errno);
}

void set_limits(const PlanHeader& header) {
  const auto memory = header.measure_data != 0 ? RLIMIT_DATA : RLIMIT_AS;
  limit(memory, header.memory_bytes, header.memory_bytes);
  limit(RLIMIT_FSIZE, header.file_bytes, header.file_bytes);
  limit(RLIMIT_NOFILE, header.open_files, header.open_files);
  limit(RLIMIT_CPU, header.processor_seconds, header.processor_seconds + 1);  // SIGXCPU first, then SIGKILL
  limit(RLIMIT_CORE, 0, 0);
}

// Staged paths (the user was changed) lie under their numbers.
void check_paths(const Plan& plan) {
  for (std::size_t i = 0; i < plan.header->num_paths; ++i) {
    char staged[40];
    snprintf(staged, sizeof staged, "%s/%zu", kStagingFolder, i);
    const char* path = plan.header->user != 0 && plan.header->fenced != 0 ? staged : plan.paths[i] + 1;
    struct stat status = {};
    if (stat(path, &status) != 0) fail(Step::path, errno, i);
    int wanted = R_OK;
    if (plan.paths[i][0] == 'w') wanted |= W_OK;
    if (S_ISDIR(status.st_mode)) wanted |= X_OK;
    if (access(path, wanted) != 0) fail(Step::path, errno, i);
  }
}

// Counted in the fence's own user namespace, where only bubblewrap's first process is; without a fence, on
// top of what already runs under this user id.
void limit_processes(const PlanHeader& header) {
  const long others = header.fenced != 0 ? 1 : count_tasks_of(getuid()) - 1;
  const auto most = static_cast<rlim_t>(others + static_cast<long>(header.processes));
  limit(RLIMIT_NPROC, most, most);
}

void load_filter(const Plan& plan) {
  if (plan.header->filter_bytes == 0) return;
  static sock_filter instructions[BPF_MAXINSNS];
  const std::size_t size = plan.header->filter_bytes;
  if (size > sizeof instructions) fail(Step::filter, E2BIG);
  __builtin_memcpy(instructions, plan.filter, size);
  const sock_fprog program = {static_cast<unsigned short>(size / sizeof(sock_filter)), instructions};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) fail(Step::filter, errno);
}

}  // namespace

void start_program(const Plan& plan, pid_t keeper) {
  reset_signals();
  close(control_descriptor);
  setsid();
  prefer_for_out_of_memory();
  change_user(*plan.header);
  // After the change of user, which forgets it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) fail(Step::fork, ESRCH);
  umask(077);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(Step::limits, errno);
  check_paths(plan);
  if (plan.header->fenced == 0) {
    if (chdir(plan.working_directory) != 0) fail(Step::directory, errno);
    set_limits(*plan.header);
    enter_program(plan);
  }
  if (chdir("/") != 0) fail(Step::directory, errno);
  set_limits(*plan.header);
  char* no_variables[] = {nullptr};
  execve(plan.fence_arguments[0], plan.fence_arguments, no_variables);
  fail(Step::fence, errno);
}

void enter_program(const Plan& plan) {
  // The keeper and the fence stay before it, or they could not end a program that takes all there is.
  setpriority(PRIO_PROCESS, 0, plan.header->niceness);
  if (chdir(plan.working_directory) != 0) fail(Step::directory, errno);
  limit_processes(*plan.header);
  if (fcntl(report_descriptor, F_SETFD, FD_CLOEXEC) != 0) fail(Step::program, errno);
  if (syscall(SYS_close_range, control_descriptor, ~0U, 0) != 0) fail(Step::program, errno);
  if (plan.header->fenced != 0) scope_to_own_processes();
  load_filter(plan);
  report({Report::Kind::entered, Step::program, 0, 0});
  environ = plan.variables;
  execvp(plan.arguments[0], plan.arguments);
  fail(Step::program, errno);
}

}  // namespace parley::orchestration::sandbox::keeper
