#pragma once
// Usage and timings of an answer that takes several runs of the engine. One object per answer, one thread.
// Never fails.

#include <chrono>
#include <cstdint>
#include <optional>

#include "inference/engine/engine.h"
#include "orchestration/sessions/conversation.h"

namespace parley::orchestration::turn {

enum class PromptUse : std::uint8_t {
  counted,
  counted_before,  // the run goes on where one before it was broken off
};

class RunFigures {
 public:
  explicit RunFigures(std::chrono::steady_clock::time_point arrived) : arrived_(arrived) {}

  // A run is handed to the engine.
  void begin_run() { before_submit_ = std::chrono::steady_clock::now() - arrived_; }
  // A token of it was used; those that came after its end was decided are not.
  void add_token() { ++num_tokens_; }
  void end_run(const inference::engine::FinishedRequest& result, PromptUse prompt);
  // The run that has ended showed something, so the answer's first token was one of its tokens.
  void note_shown(const inference::engine::FinishedRequest& result);

  const sessions::Usage& usage() const { return usage_; }
  std::chrono::nanoseconds queued() const { return queued_; }
  // With the last run.
  sessions::Timings timings(const inference::engine::FinishedRequest& last) const;

 private:
  std::chrono::steady_clock::time_point arrived_;
  std::chrono::nanoseconds before_submit_{};  // of the run at hand, from the command's arrival
  std::optional<std::chrono::nanoseconds> first_token_;
  std::chrono::nanoseconds queued_{};
  sessions::Usage usage_;
  int num_tokens_ = 0;  // of the run at hand
};

}  // namespace parley::orchestration::turn
