#include "orchestration/sandbox/left_keepers.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fakes/eventually.h"

namespace parley::orchestration::sandbox {
namespace {

TEST(LeftKeepers, AreWaitedForWhenTheyEnd) {
  ASSERT_EQ(reap_left_keepers(), 0U);
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) ::pause();
  }
  leave_keeper(Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))));
  EXPECT_EQ(reap_left_keepers(), 1U) << "it lives";
  ::kill(child, SIGKILL);
  EXPECT_TRUE(tests::fakes::eventually([] { return reap_left_keepers() == 0; }));
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "no zombie is left";
}

}  // namespace
}  // namespace parley::orchestration::sandbox
