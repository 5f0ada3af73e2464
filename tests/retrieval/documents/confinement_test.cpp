#include "retrieval/documents/worker/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace parley::retrieval::documents::worker {

namespace {

// Sanitizers' own calls are not on the list.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

struct Ending {
  int status = -1;  // of an exit
  int signal = 0;
};

// What becomes of a confined process that does this: its exit status is 0 for true, 1 for false.
Ending confined(const std::function<bool()>& act, bool with_files = true) {
  const pid_t child = ::fork();
  if (child == 0) {
    const ResourceLimits limits = {std::uint64_t{2} << 30, 100};
    if (!limit_resources(limits).empty()) ::_exit(90);
    const FileAccess files = with_files ? restrict_files() : FileAccess::none;
    if (!allow_calls(files).empty()) ::_exit(91);
    ::_exit(act() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

bool opens(const char* path, int flags) { return ::open(path, flags, 0600) >= 0; }

TEST(ConfinementTest, LetsReadersWork) {
  const Ending ending = confined([] {
    const std::string text(std::size_t{10} << 20, 'x');
    return text.size() == std::size_t{10} << 20 && ::getpid() > 0;
  });
  EXPECT_EQ(ending.status, 0);
}

TEST(ConfinementTest, SocketsProgramsAndProcessesEndIt) {
  EXPECT_EQ(confined([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }).signal, SIGSYS);
  EXPECT_EQ(confined([] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }).signal, SIGSYS);
  EXPECT_EQ(confined([] { return ::fork() >= 0; }).signal, SIGSYS);
  EXPECT_EQ(confined([] { return ::execl("/bin/true", "true", nullptr) == 0; }).signal, SIGSYS);
  EXPECT_EQ(confined([] { return ::kill(::getppid(), 0) == 0; }).signal, SIGSYS);
}

TEST(ConfinementTest, ReachesNoOtherProcess) {
  EXPECT_EQ(confined([] { return ::syscall(SYS_tgkill, ::getppid(), ::getppid(), 0) == 0; }).status, 1);
  EXPECT_EQ(confined([] {
              rlimit limit = {};
              return ::prlimit(::getppid(), RLIMIT_CPU, nullptr, &limit) == 0;
            }).status,
            1);
  EXPECT_EQ(confined([] { return ::fcntl(0, F_SETOWN, ::getppid()) == 0; }).status, 1);
  EXPECT_EQ(confined([] {
              ::abort();
              return false;
            }).signal,
            SIGABRT);
}

TEST(ConfinementTest, OpensNoFileOfTheUsers) {
  EXPECT_EQ(confined([] { return opens("/etc/passwd", O_RDONLY); }).status, 1);
  EXPECT_EQ(confined([] { return opens("/proc/self/maps", O_RDONLY); }).status, 1);
  EXPECT_EQ(confined([] { return opens("/tmp/parley-confinement", O_WRONLY | O_CREAT); }).status, 1);
  EXPECT_EQ(confined([] { return opens("/usr/share/fonts/x", O_WRONLY | O_CREAT); }).status, 1);
  EXPECT_EQ(confined([] { return opens("/tmp", O_RDWR | O_TMPFILE); }).status, 1);
  EXPECT_EQ(confined([] { return ::unlink("/tmp/parley-confinement") == 0; }).status, 1);
}

TEST(ConfinementTest, WithoutLandlockNothingIsOpenedAtAll) {
  EXPECT_EQ(confined([] { return opens("/usr/share", O_RDONLY | O_DIRECTORY); }, false).status, 1);
  EXPECT_EQ(confined([] { return opens("/usr/share/fonts", O_RDONLY | O_DIRECTORY); }, false).status, 1);
}

TEST(ConfinementTest, MemoryNeverBecomesAProgram) {
  EXPECT_EQ(confined([] {
              return ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                            -1, 0) != MAP_FAILED;
            }).status,
            1);
  EXPECT_EQ(confined([] {
              void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              return page != MAP_FAILED && ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
            }).status,
            1);
}

TEST(ConfinementTest, MemoryIsLimited) {
  EXPECT_EQ(confined([] {
              return ::mmap(nullptr, std::size_t{4} << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                     MAP_FAILED;
            }).status,
            1);
}

TEST(ConfinementTest, ProcessorTimeIsLimitedAFile) {
  const Ending ending = confined([] {
    allow_cpu_seconds(0);
    for (volatile int spin = 0;;) spin = spin + 1;
    return true;
  });
  EXPECT_EQ(ending.signal, SIGXCPU);
}

#endif

}  // namespace

}  // namespace parley::retrieval::documents::worker
