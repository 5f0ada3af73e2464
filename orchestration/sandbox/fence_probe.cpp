#include "orchestration/sandbox/fence_probe.h"

namespace parley::orchestration::sandbox {

std::string FenceProbe::problem(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (!next_ || now < *next_) return problem_;
  problem_ = probe_();
  if (problem_.empty()) {
    next_.reset();
  } else {
    next_ = now + kPause;
  }
  return problem_;
}

}  // namespace parley::orchestration::sandbox
