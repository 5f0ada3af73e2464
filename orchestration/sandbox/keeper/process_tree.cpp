#include "orchestration/sandbox/keeper/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::orchestration::sandbox::keeper {

namespace {

struct ProcessEntry {
  pid_t parent = 0;  // 0: it is gone
  long num_threads = 0;
};

constexpr int kDeepest = 4096;  // no chain of parents is longer; a changing one must not hold us

ProcessEntry read_process(pid_t pid) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[1024];
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return {};
  text[size] = '\0';
  // pid (name) state parent … with the number of threads in field 20; the name may hold anything.
  const char* rest = strrchr(text, ')');
  int parent = 0;
  long num_threads = 0;
  if (rest == nullptr ||
      sscanf(rest + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld", &parent,
             &num_threads) != 2) {
    return {};
  }
  return {parent, num_threads};
}

template <typename Visit>
void for_each_process(Visit visit) {
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return;
  while (const dirent* entry = readdir(folder)) {
    const int pid = atoi(entry->d_name);
    if (pid > 0) visit(pid);
  }
  closedir(folder);
}

// Steps from the keeper down to `pid`; 0 when it is not below.
int depth_of(pid_t pid, pid_t keeper) {
  for (int depth = 1; depth < kDeepest; ++depth) {
    pid = read_process(pid).parent;
    if (pid == keeper) return depth;
    if (pid <= 1) return 0;
  }
  return 0;
}

}  // namespace

void kill_children() {
  const pid_t keeper = getpid();
  for_each_process([&](pid_t pid) {
    if (read_process(pid).parent == keeper) kill(pid, SIGKILL);
  });
}

void terminate_below(int depth) {
  const pid_t keeper = getpid();
  for_each_process([&](pid_t pid) {
    if (depth_of(pid, keeper) >= depth) kill(pid, SIGTERM);
  });
}

long count_tasks_of(uid_t user) {
  long count = 0;
  for_each_process([&](pid_t pid) {
    char path[40];
    snprintf(path, sizeof path, "/proc/%d", static_cast<int>(pid));
    struct stat status = {};
    if (stat(path, &status) == 0 && status.st_uid == user) count += read_process(pid).num_threads;
  });
  return count;
}

}  // namespace parley::orchestration::sandbox::keeper
