#include "orchestration/mcp/flood_guard.h"

#include <algorithm>

namespace parley::orchestration::mcp {

bool FloodGuard::admit(std::size_t bytes, Time now) {
  const std::lock_guard lock(mutex_);
  if (now > last_) {
    const std::chrono::duration<double> passed = now - last_;
    left_ = std::min(kBurst, left_ + passed.count() * kPerSecond);
    last_ = now;
  }
  left_ -= 1 + static_cast<double>(bytes) / 4096;
  return left_ >= 0;
}

}  // namespace parley::orchestration::mcp
