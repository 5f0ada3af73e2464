#include "orchestration/sandbox/left_keepers.h"

#include <errno.h>
#include <sys/wait.h>

#include <mutex>
#include <utility>
#include <vector>

namespace parley::orchestration::sandbox {

namespace {

// Children belong to the process, so this does too.
struct LeftKeepers {
  std::mutex mutex;
  std::vector<Descriptor> keepers;
};

LeftKeepers& left_keepers() {
  static LeftKeepers left;
  return left;
}

bool has_ended(const Descriptor& keeper) {
  siginfo_t info = {};
  const int waited = ::waitid(P_PIDFD, static_cast<id_t>(keeper.number()), &info, WEXITED | WNOHANG);
  return waited != 0 ? errno != EINTR : info.si_pid != 0;
}

}  // namespace

void leave_keeper(Descriptor keeper) {
  const std::lock_guard lock(left_keepers().mutex);
  left_keepers().keepers.push_back(std::move(keeper));
}

std::size_t reap_left_keepers() {
  const std::lock_guard lock(left_keepers().mutex);
  std::erase_if(left_keepers().keepers, has_ended);
  return left_keepers().keepers.size();
}

}  // namespace parley::orchestration::sandbox
