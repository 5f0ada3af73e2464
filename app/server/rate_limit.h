#pragma once
// A token bucket: so many a second, and as many at once. A value, used by one thread; never fails.

#include <algorithm>
#include <chrono>

namespace parley::app::server {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  RateLimit(double per_second, Clock::time_point now)
      : per_second_(per_second), tokens_(per_second), last_(now) {}

  // False: too fast.
  bool take(Clock::time_point now) {
    const double earned = std::chrono::duration<double>(now - last_).count() * per_second_;
    tokens_ = std::min(per_second_, tokens_ + earned);
    last_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  double per_second_;
  double tokens_;
  Clock::time_point last_;
};

}  // namespace parley::app::server
