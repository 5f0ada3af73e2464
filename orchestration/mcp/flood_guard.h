#pragma once
// Decides when a server talks too much: a bucket of messages that fills with time. One object per connection,
// any thread; never fails.

#include <chrono>
#include <cstddef>
#include <mutex>

namespace parley::orchestration::mcp {

class FloodGuard {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Unasked messages at once, and a second; 4 KiB of text count like one more message.
  static constexpr double kBurst = 5000;
  static constexpr double kPerSecond = 500;

  // False when this message is one too many.
  bool admit(std::size_t bytes, Time now);

 private:
  std::mutex mutex_;
  double left_ = kBurst;
  Time last_{};
};

}  // namespace parley::orchestration::mcp
