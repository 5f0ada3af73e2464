#include "orchestration/sandbox/keeper/stage_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parley::orchestration::sandbox::keeper {

namespace {

// Sources are real paths; a link that was put in since is not followed.
int open_source(const char* path) {
  open_how how = {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const long opened = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (opened >= 0 || errno != ENOSYS) return static_cast<int>(opened);
  return open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);  // before Linux 5.6
}

void bind_path(int source, std::size_t index) {
  char from[40];
  char to[40];
  snprintf(from, sizeof from, "/proc/self/fd/%d", source);
  snprintf(to, sizeof to, "%s/%zu", kStagingFolder, index);
  struct stat status = {};
  if (fstat(source, &status) != 0) fail(Step::path, errno, index);
  const int made = S_ISDIR(status.st_mode) ? mkdir(to, 0755) : mknod(to, S_IFREG | 0644, 0);
  if (made != 0) fail(Step::stage, errno);
  if (mount(from, to, nullptr, MS_BIND | MS_REC, nullptr) != 0) fail(Step::stage, errno);
}

}  // namespace

void stage_paths(const Plan& plan) {
  const std::size_t count = plan.header->num_paths;
  if (count == 0) return;
  if (unshare(CLONE_NEWNS) != 0) fail(Step::stage, errno);
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) fail(Step::stage, errno);
  auto* sources = static_cast<int*>(calloc(count, sizeof(int)));
  if (sources == nullptr) fail(Step::stage, ENOMEM);
  for (std::size_t i = 0; i < count; ++i) {  // before the staging folder covers what may be declared below it
    sources[i] = open_source(plan.paths[i] + 1);
    if (sources[i] < 0) fail(Step::path, errno, i);
  }
  if (mount("staging", kStagingFolder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0) {
    fail(Step::stage, errno);
  }
  for (std::size_t i = 0; i < count; ++i) {
    bind_path(sources[i], i);
    close(sources[i]);
  }
  free(sources);
}

}  // namespace parley::orchestration::sandbox::keeper
