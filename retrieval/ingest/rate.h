#pragma once
// How many a second, over the last half minute. One thread at a time.

#include <chrono>
#include <deque>
#include <optional>

namespace parley::retrieval::ingest {

using Clock = std::chrono::steady_clock;

class Rate {
 public:
  void count(Clock::time_point now);
  double per_second(Clock::time_point now);  // 0: not known

 private:
  void forget(Clock::time_point now);

  std::deque<Clock::time_point> ends_;
  std::optional<Clock::time_point>
      begin_;  // of the work that runs; none: nothing was counted for half a minute
};

}  // namespace parley::retrieval::ingest
