#pragma once
// Whether programs can be fenced in here: found out once where they can, and again after a pause where they
// cannot, since an operator may have mended it meanwhile. Any thread; others wait while one finds out.

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace parley::orchestration::sandbox {

class FenceProbe {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPause{30};

  // `probe`: empty, or a sentence.
  explicit FenceProbe(std::function<std::string()> probe) : probe_(std::move(probe)) {}

  std::string problem(Clock::time_point now = Clock::now());

 private:
  const std::function<std::string()> probe_;
  std::mutex mutex_;
  std::string problem_;
  std::optional<Clock::time_point> next_ = Clock::time_point::min();  // none: it works
};

}  // namespace parley::orchestration::sandbox
