#pragma once
// Tells a dead or stuck engine from a busy one, by its step counter. I/O thread; never fails. Look at it now
// and then.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "inference/engine/engine.h"

namespace parley::app::api {

class Heartbeat {
 public:
  using Clock = std::chrono::steady_clock;

  // A single step may be long on a slow machine, so a stop shows late.
  explicit Heartbeat(std::chrono::seconds patience = std::chrono::seconds(120)) : patience_(patience) {}

  void observe(const std::optional<inference::engine::EngineStats>& stats, Clock::time_point now);
  // A sentence when the engine is dead or has done no step for too long though there is work.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::chrono::seconds patience_;
  std::optional<std::uint64_t> steps_;
  Clock::time_point last_progress_;
  std::optional<std::string> failure_;
};

}  // namespace parley::app::api
