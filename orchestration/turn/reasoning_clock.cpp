#include "orchestration/turn/reasoning_clock.h"

namespace parley::orchestration::turn {

void ReasoningClock::take(const ChatDelta& delta, Clock::time_point now) {
  if (!delta.reasoning.empty() && !since_) since_ = now;
  if (delta.text.empty() && delta.calls.empty()) return;
  ended_ = total(now);
  since_.reset();
}

ReasoningClock::Millis ReasoningClock::total(Clock::time_point now) const {
  if (!since_) return ended_;
  return ended_ + (now - *since_);
}

}  // namespace parley::orchestration::turn
