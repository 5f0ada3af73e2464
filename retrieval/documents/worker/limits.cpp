#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "retrieval/documents/worker/confinement.h"

namespace parley::retrieval::documents::worker {

namespace {

// Sanitizers map terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

constexpr rlim_t kDescriptors = 32;  // the socket, the file, poppler's data

bool set_limit(int what, rlim_t most) {
  const rlimit limit = {most, most};
  return setrlimit(static_cast<__rlimit_resource_t>(what), &limit) == 0;
}

rlim_t used_seconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<rlim_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
}

}  // namespace

std::string limit_resources(const ResourceLimits& limits) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_DUMPABLE, 0) != 0) {
    return std::string("prctl: ") + std::strerror(errno);
  }
  const std::pair<int, rlim_t> wanted[] = {
      {RLIMIT_NOFILE, kDescriptors}, {RLIMIT_FSIZE, 0},  {RLIMIT_NPROC, 0}, {RLIMIT_CORE, 0},
      {RLIMIT_MSGQUEUE, 0},          {RLIMIT_MEMLOCK, 0}};
  for (const auto& [what, most] : wanted) {
    if (!set_limit(what, most)) return std::string("setrlimit: ") + std::strerror(errno);
  }
  if (limits.cpu_seconds > 0 && !set_limit(RLIMIT_CPU, limits.cpu_seconds))
    return "setrlimit: processor time";
  if (kLimitsMemory && limits.memory_bytes > 0 && !set_limit(RLIMIT_AS, limits.memory_bytes)) {
    return "setrlimit: memory";
  }
  return "";
}

void allow_cpu_seconds(std::uint64_t seconds) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_CPU, &limit) != 0) return;
  // The limit counts whole seconds and ends the program when they are over: one more than is meant.
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, used_seconds() + seconds + 2);
  setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace parley::retrieval::documents::worker
