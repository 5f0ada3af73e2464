#include "orchestration/sandbox/seccomp_filter.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace parley::orchestration::sandbox {
namespace {

// In a child that has loaded the filter and nothing else: errno of the call, 0 when it is let through.
int error_under_filter(const std::function<long()>& call) {
  std::string filter = seccomp_filter();
  const pid_t child = ::fork();
  if (child == 0) {
    const sock_fprog program = {static_cast<unsigned short>(filter.size() / sizeof(sock_filter)),
                                reinterpret_cast<sock_filter*>(filter.data())};
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(255);
    ::_exit(call() < 0 ? errno : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 254;
}

TEST(SeccompFilter, IsSmallEnoughForTheKernel) {
  const std::string filter = seccomp_filter();
  EXPECT_GT(filter.size(), 0U);
  EXPECT_EQ(filter.size() % sizeof(sock_filter), 0U);
  EXPECT_LT(filter.size() / sizeof(sock_filter), static_cast<std::size_t>(BPF_MAXINSNS));
}

TEST(SeccompFilter, LetsOrdinaryCallsThrough) {
  EXPECT_EQ(error_under_filter([] { return ::getpid(); }), 0);
  EXPECT_EQ(error_under_filter([] { return ::socket(AF_INET, SOCK_STREAM, 0); }), 0);
  EXPECT_EQ(error_under_filter([] { return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }), 0);
  EXPECT_EQ(error_under_filter([] { return ::syscall(SYS_unshare, 0); }), 0);
  EXPECT_EQ(error_under_filter([]() -> long {
              const pid_t child = ::fork();
              if (child == 0) ::_exit(0);
              return ::waitpid(child, nullptr, 0);
            }),
            0);
}

TEST(SeccompFilter, MakesLibrariesFallBackFromClone3) {
  EXPECT_EQ(error_under_filter([] { return ::syscall(SYS_clone3, nullptr, 0); }), ENOSYS);
}

// With arguments that another error would answer, did the filter not come first.
TEST(SeccompFilter, RefusesByTheNumberOfTheCall) {
  for (const long number : {SYS_mount, SYS_ptrace, SYS_bpf, SYS_keyctl, SYS_io_uring_enter, SYS_kexec_load,
                            SYS_process_vm_readv, SYS_open_tree, SYS_setns, SYS_pidfd_getfd}) {
    EXPECT_EQ(error_under_filter([&] { return ::syscall(number, -1, -1, -1, -1, -1, -1); }), EPERM) << number;
  }
}

TEST(SeccompFilter, RefusesNamespacesInAnyMixtureOfFlags) {
  EXPECT_EQ(error_under_filter([] { return ::syscall(SYS_unshare, CLONE_NEWUSER | CLONE_FS); }), EPERM);
  EXPECT_EQ(error_under_filter([] { return ::syscall(SYS_unshare, 0x80 /* CLONE_NEWTIME */); }), EPERM);
  EXPECT_EQ(error_under_filter([] { return ::syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0); }),
            EPERM);
}

TEST(SeccompFilter, RefusesSocketFamiliesByTheLowHalfOfTheNumber) {
  for (const long family : {40L, 17L, 38L, 63L, 64L, 1000L, 0x100000028L}) {
    EXPECT_EQ(error_under_filter([&] { return ::syscall(SYS_socket, family, SOCK_STREAM, 0); }), EAFNOSUPPORT)
        << family;
  }
}

}  // namespace
}  // namespace parley::orchestration::sandbox
