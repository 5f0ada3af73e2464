#include "app/api/heartbeat.h"

namespace parley::app::api {

void Heartbeat::observe(const std::optional<inference::engine::EngineStats>& stats, Clock::time_point now) {
  failure_.reset();
  if (!stats) {
    steps_.reset();
    return;
  }
  if (!stats->alive) {
    failure_ = "The engine has ended by an error. Restart Parley; its log says what went wrong.";
    return;
  }
  const bool busy = stats->running + stats->waiting > 0;
  if (!busy || steps_ != stats->steps) last_progress_ = now;
  steps_ = stats->steps;
  if (now - last_progress_ > patience_) {
    failure_ = "The engine has done no step for " + std::to_string(patience_.count()) +
               " s though requests wait. Restart Parley.";
  }
}

}  // namespace parley::app::api
