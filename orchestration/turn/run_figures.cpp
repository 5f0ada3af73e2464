#include "orchestration/turn/run_figures.h"

#include <utility>

namespace parley::orchestration::turn {

using inference::engine::FinishedRequest;

void RunFigures::end_run(const FinishedRequest& result, PromptUse prompt) {
  if (prompt == PromptUse::counted) {
    usage_.prompt_tokens += result.prompt_tokens;
    usage_.cached_tokens += result.cached_tokens;
  }
  usage_.completion_tokens += std::exchange(num_tokens_, 0);
  queued_ += result.queued;
}

void RunFigures::note_shown(const FinishedRequest& result) {
  if (!first_token_) first_token_ = before_submit_ + result.first_token;
}

sessions::Timings RunFigures::timings(const FinishedRequest& last) const {
  using Millis = std::chrono::duration<double, std::milli>;
  sessions::Timings result;
  if (first_token_) {
    result.first_token_ms = Millis(*first_token_).count();
  } else if (last.completion_tokens > 0) {
    result.first_token_ms = Millis(before_submit_ + last.first_token).count();
  }
  result.total_ms = Millis(before_submit_ + last.total).count();
  const std::chrono::duration<double> decoding = last.total - last.first_token;
  if (last.completion_tokens > 1 && decoding.count() > 0) {
    result.tokens_per_second = (last.completion_tokens - 1) / decoding.count();
  }
  return result;
}

}  // namespace parley::orchestration::turn
