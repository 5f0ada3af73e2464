#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <type_traits>

#include "retrieval/documents/worker/confinement.h"

namespace parley::retrieval::documents::worker {

namespace {

using Filter = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&seccomp_release)>;

// What readers and the C library need of a system that has handed everything in: memory, time, locks, the
// descriptors that are there, an end.
constexpr std::array kAllowed = {
    "read",
    "pread64",
    "readv",
    "preadv",
    "write",
    "writev",
    "sendmsg",
    "recvmsg",
    "close",
    "fstat",
    "lseek",
    "poll",
    "ppoll",
    "munmap",
    "mremap",
    "madvise",
    "brk",
    "futex",
    "rt_sigreturn",
    "rt_sigaction",
    "rt_sigprocmask",
    "sigaltstack",
    "restart_syscall",
    "exit",
    "exit_group",
    "clock_gettime",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "time",
    "getpid",
    "gettid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getrandom",
    "getrusage",
    "getrlimit",
    "sched_yield",
    "sched_getaffinity",
    "sysinfo",
    "uname",
    "membarrier",
    "rseq",
    "set_robust_list",

};

// For reading what Landlock leaves; looking for files is harmless and not worth a failure.
constexpr std::array kAllowedWithFiles = {"access",     "faccessat", "faccessat2", "stat",       "lstat",
                                          "newfstatat", "statx",     "readlink",   "readlinkat", "getdents64",
                                          "fstatfs",    "statfs",    "fadvise64",  "getcwd"};

// No reader has a reason for these: whoever calls them is not a reader any more.
constexpr std::array kDeadly = {"socket",
                                "socketpair",
                                "connect",
                                "bind",
                                "listen",
                                "accept",
                                "accept4",
                                "execve",
                                "execveat",
                                "fork",
                                "vfork",
                                "clone",
                                "clone3",
                                "ptrace",
                                "kill",
                                "tkill",
                                "rt_sigqueueinfo",
                                "process_vm_readv",
                                "process_vm_writev",
                                "pidfd_open",
                                "bpf",
                                "io_uring_setup",
                                "userfaultfd",
                                "perf_event_open",
                                "keyctl",
                                "add_key",
                                "mount",
                                "unshare",
                                "setns",
                                "chroot",
                                "init_module",
                                "finit_module",
                                "kexec_load",
                                "memfd_create"};

bool add(const Filter& filter, std::uint32_t action, const char* name) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR || number < 0) return true;  // not on this architecture
  return seccomp_rule_add(filter.get(), action, number, 0) == 0;
}

bool allow_where(const Filter& filter, int number, const scmp_arg_cmp& condition) {
  return seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, number, 1, &condition) == 0;
}

// Memory never becomes a program.
bool allow_memory(const Filter& filter) {
  const scmp_arg_cmp not_a_program = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  return allow_where(filter, SCMP_SYS(mmap), not_a_program) &&
         allow_where(filter, SCMP_SYS(mprotect), not_a_program);
}

// These reach other processes of the same user when they are given their number.
bool allow_for_itself(const Filter& filter) {
  const scmp_arg_cmp own_cpu_limit[] = {SCMP_A0(SCMP_CMP_EQ, 0, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU, 0)};
  const scmp_arg_cmp own_threads = SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()), 0);
  return seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, own_cpu_limit) == 0 &&
         allow_where(filter, SCMP_SYS(tgkill), own_threads);  // abort()
}

bool allow_descriptor_flags(const Filter& filter) {
  bool good = true;
  for (const scmp_datum_t command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC}) {
    good = good && allow_where(filter, SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, command, 0));
  }
  return good;
}

bool allow_opening_to_read(const Filter& filter) {
  constexpr scmp_datum_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  return allow_where(filter, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, kWriting, O_RDONLY)) &&
         allow_where(filter, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, kWriting, O_RDONLY));
}

}  // namespace

std::string allow_calls(FileAccess files) {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), &seccomp_release);
  if (filter == nullptr) return "seccomp_init failed";
  bool good = true;
  for (const char* name : kAllowed) good = good && add(filter, SCMP_ACT_ALLOW, name);
  for (const char* name : kDeadly) good = good && add(filter, SCMP_ACT_KILL_PROCESS, name);
  good = good && allow_memory(filter) && allow_for_itself(filter) && allow_descriptor_flags(filter);
  if (files == FileAccess::reference_data) {
    for (const char* name : kAllowedWithFiles) good = good && add(filter, SCMP_ACT_ALLOW, name);
    good = good && allow_opening_to_read(filter);
  }
  if (!good) return "a seccomp rule was refused";
  const int error = seccomp_load(filter.get());
  return error == 0 ? "" : std::string("seccomp_load: ") + std::strerror(-error);
}

}  // namespace parley::retrieval::documents::worker
