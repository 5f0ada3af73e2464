#pragma once
// Keeps what an engine delivers. Written on the engine thread; read it after wait(), or from the same thread.
// Never fails.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "inference/engine/engine.h"

namespace parley::tests::fakes {

class RecordingSink final : public inference::engine::TokenSink {
 public:
  void on_token(const inference::engine::GeneratedToken& token) override {
    {
      const std::scoped_lock lock(mutex_);
      tokens.push_back(token.token_id);
      generated.push_back(token);
      told_after_end = told_after_end || num_finishes > 0;
    }
    if (when_token) when_token(token);
    changed_.notify_all();
  }
  void on_finish(const inference::engine::FinishedRequest& finished) override {
    if (when_finished) when_finished(finished);
    const std::scoped_lock lock(mutex_);
    ++num_finishes;
    result = finished;
    changed_.notify_all();
  }

  // Blocks until the request has ended.
  const inference::engine::FinishedRequest& wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return num_finishes > 0; });
    return *result;
  }
  void wait_for_tokens(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tokens.size() >= count || num_finishes > 0; });
  }

  // Called on the engine thread, before the event can be seen by wait().
  std::function<void(const inference::engine::GeneratedToken&)> when_token;
  std::function<void(const inference::engine::FinishedRequest&)> when_finished;

  std::vector<std::int32_t> tokens;
  std::vector<inference::engine::GeneratedToken> generated;
  std::optional<inference::engine::FinishedRequest> result;
  int num_finishes = 0;
  bool told_after_end = false;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace parley::tests::fakes
