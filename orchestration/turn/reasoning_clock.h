#pragma once
// How long the reasoning of an answer takes, from its first piece to what comes behind it. A value, one
// thread; never fails.

#include <chrono>
#include <optional>

#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

class ReasoningClock {
 public:
  using Clock = std::chrono::steady_clock;
  using Millis = std::chrono::duration<double, std::milli>;

  void take(const ChatDelta& delta, Clock::time_point now);

  // Of all reasoning that was taken; what nothing has come behind lasts until `now`.
  Millis total(Clock::time_point now) const;

 private:
  std::optional<Clock::time_point> since_;  // while reasoning comes
  Millis ended_{};                          // of that which something came behind
};

}  // namespace parley::orchestration::turn
