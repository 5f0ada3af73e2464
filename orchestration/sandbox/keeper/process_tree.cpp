#include "orchestration/sandbox/keeper/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace parley::orchestration::sandbox::keeper {

namespace {

struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;  // 0: it is gone
  long num_threads = 0;
};

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
  return {pid, parent, num_threads};
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

// All processes, read once: a program that forks without end makes each look at /proc dear. In the order of
// their numbers, as /proc lists them.
class ProcessTable {
 public:
  void read() {
    size_ = 0;
    for_each_process([&](pid_t pid) {
      const ProcessEntry entry = read_process(pid);
      if (size_ < kMost && entry.pid != 0) entries_[size_++] = entry;
    });
  }

  // Steps from the keeper down to the process; 0 when it is not below.
  int depth_of(const ProcessEntry& process, pid_t keeper) const {
    pid_t parent = process.parent;
    for (int depth = 1; depth < static_cast<int>(kMost) && parent > 1; ++depth) {
      if (parent == keeper) return depth;
      parent = find(parent).parent;
    }
    return 0;
  }

  const ProcessEntry* begin() const { return entries_; }
  const ProcessEntry* end() const { return entries_ + size_; }

 private:
  static constexpr std::size_t kMost = 32768;

  ProcessEntry find(pid_t pid) const {
    const auto before = [](const ProcessEntry& entry, pid_t wanted) { return entry.pid < wanted; };
    const ProcessEntry* found = std::lower_bound(begin(), end(), pid, before);
    return found != end() && found->pid == pid ? *found : ProcessEntry();
  }

  std::size_t size_ = 0;
  ProcessEntry entries_[kMost];
};

// The kernel's own list, where it keeps one (CONFIG_PROC_CHILDREN); the keeper has one thread.
bool kill_listed_children() {
  FILE* file = fopen("/proc/thread-self/children", "re");
  if (file == nullptr) return false;
  int pid = 0;
  while (fscanf(file, "%d", &pid) == 1) kill(pid, SIGKILL);
  fclose(file);
  return true;
}

}  // namespace

void kill_children() {
  if (kill_listed_children()) return;
  const pid_t keeper = getpid();
  for_each_process([&](pid_t pid) {
    if (read_process(pid).parent == keeper) kill(pid, SIGKILL);
  });
}

void signal_below(int depth, int signal_number) {
  static ProcessTable table;  // too large for the stack
  table.read();
  const pid_t keeper = getpid();
  for (const ProcessEntry& process : table) {
    if (table.depth_of(process, keeper) >= depth) kill(process.pid, signal_number);
  }
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
