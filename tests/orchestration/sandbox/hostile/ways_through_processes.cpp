#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "tests/orchestration/sandbox/hostile/ways_out.h"

namespace parley::tests::hostile {

namespace {

using Text = const std::string&;

pid_t number(Text text) { return static_cast<pid_t>(atoi(text.c_str())); }

// The argument is a process of the host.
bool reaches(Text pid) { return number(pid) > 1000 && kill(number(pid), 0) == 0; }

bool sees(Text pid) { return number(pid) > 1000 && access(("/proc/" + pid + "/status").c_str(), F_OK) == 0; }

bool reads_memory_of_parent(Text) {
  char byte = 0;
  iovec here = {&byte, 1};
  iovec there = {reinterpret_cast<void*>(static_cast<std::uintptr_t>(0x400000)), 1};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}

bool takes_descriptor_of_parent(Text) {
  const long process = syscall(SYS_pidfd_open, getppid(), 0);
  return syscall(SYS_pidfd_getfd, process, 0, 0) >= 0;
}

// Effective user id 0 in a program whose file has the set-user-id bit, while it waits for a password.
bool runs_as_root(Text) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[0], 0);
    execl("/usr/bin/su", "su", nullptr);
    _exit(1);
  }
  usleep(50000);
  char line[256];
  unsigned real = 1;
  unsigned effective = 1;
  FILE* status = fopen(("/proc/" + std::to_string(child) + "/status").c_str(), "r");
  while (status != nullptr && fgets(line, sizeof line, status) != nullptr) {
    if (sscanf(line, "Uid: %u %u", &real, &effective) == 2) break;
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return real != 0 && effective == 0;
}

bool takes_capabilities(Text) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct all[2] = {{~0U, ~0U, ~0U}, {~0U, ~0U, ~0U}};
  return syscall(SYS_capset, &header, all) == 0;
}

bool has_capabilities(Text) {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  return syscall(SYS_capget, &header, data) == 0 &&
         (data[0].effective | data[0].permitted | data[1].permitted) != 0;
}

bool raises_limit(__rlimit_resource resource) {
  const rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
  return setrlimit(resource, &unlimited) == 0;
}

bool raises_limits(Text) {
  return raises_limit(RLIMIT_AS) || raises_limit(RLIMIT_NPROC) || raises_limit(RLIMIT_FSIZE) ||
         raises_limit(RLIMIT_CPU) || raises_limit(RLIMIT_CORE);
}

bool drops_filter(Text) { return prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 || prctl(PR_GET_SECCOMP) == 0; }

}  // namespace

std::vector<WayOut> ways_through_processes() {
  return {
      {"signal_outside", reaches},
      {"see_outside", sees},
      {"signal_parent", [](Text) { return getppid() > 1 && kill(getppid(), 0) == 0; }},
      {"attach_to_parent", [](Text) { return ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr) == 0; }},
      {"be_traced", [](Text) { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; }},
      {"read_memory", reads_memory_of_parent},
      {"take_descriptor", takes_descriptor_of_parent},
      {"be_root", [](Text) { return setuid(0) == 0 || setresuid(0, 0, 0) == 0; }},
      {"change_group", [](Text) { return setgid(0) == 0; }},
      {"set_user_id_program", runs_as_root},
      {"take_capabilities", takes_capabilities},
      {"have_capabilities", has_capabilities},
      {"raise_priority", [](Text) { return setpriority(PRIO_PROCESS, 0, -20) == 0; }},
      {"raise_limits", raises_limits},
      {"drop_filter", drops_filter},
      {"terminal", [](Text) { return open("/dev/tty", O_RDWR) >= 0; }},
  };
}

}  // namespace parley::tests::hostile
