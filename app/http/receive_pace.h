#pragma once
// Until when more of a body or a message has to come. Bytes earn time at the least rate that is asked for,
// and never more of it ahead than a silence may last: what came fast may not stall for hours afterwards, and
// a byte now and then does not hold a place. A value, for one thread; never fails.

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "app/http/limits.h"

namespace parley::app::http {

class ReceivePace {
 public:
  using Clock = std::chrono::steady_clock;

  ReceivePace(const ReceiveRate& rate, Clock::time_point begin)
      : rate_(rate), deadline_(begin + std::min(rate.grace, rate.max_silence)) {}

  void take(std::size_t num_bytes, Clock::time_point now) {
    const std::size_t rate = std::max<std::size_t>(rate_.min_bytes_per_second, 1);
    const std::chrono::microseconds earned(num_bytes * 1'000'000 / rate);
    deadline_ = std::min<Clock::time_point>(deadline_ + earned, now + rate_.max_silence);
  }

  Clock::time_point deadline() const { return deadline_; }
  // For a timer: one that is over ends at once.
  milliseconds left(Clock::time_point now) const {
    return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(deadline_ - now));
  }

 private:
  ReceiveRate rate_;
  Clock::time_point deadline_;
};

}  // namespace parley::app::http
