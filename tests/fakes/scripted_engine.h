#pragma once
// An engine that generates what a script says, one token of each request in turn, on a thread of its own.
// submit, cancel and the counters: any thread.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "inference/engine/engine.h"

namespace parley::fakes {

struct EngineScript {
  std::vector<inference::engine::GeneratedToken> tokens;
  bool until_cancelled = false;  // waits behind the tokens
  inference::engine::StopReason reason = inference::engine::StopReason::stop_token;
  std::string error;
  int cached_tokens = 0;
  int constrained_draws = 0;
  std::optional<inference::engine::Rejection> rejection;
};

inline std::vector<inference::engine::GeneratedToken> scripted_tokens(const std::vector<std::int32_t>& ids) {
  std::vector<inference::engine::GeneratedToken> tokens;
  for (const std::int32_t id : ids) {
    tokens.emplace_back();
    tokens.back().token_id = id;
  }
  return tokens;
}

class ScriptedEngine final : public inference::engine::Engine {
 public:
  using Request = inference::engine::Request;
  using RequestId = inference::engine::RequestId;
  using Answer = std::function<EngineScript(const Request&)>;

  explicit ScriptedEngine(Answer answer) : answer_(std::move(answer)), thread_([this] { loop(); }) {}

  ~ScriptedEngine() override {
    {
      const std::scoped_lock lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  std::variant<RequestId, inference::engine::Rejection> submit(
      Request request, std::shared_ptr<inference::engine::TokenSink> sink) override {
    const std::scoped_lock lock(mutex_);
    EngineScript script = answer_(request);
    requests_.push_back(request);
    if (script.rejection) return *script.rejection;
    auto running = std::make_unique<Running>();
    running->id = ++last_id_;
    running->script = std::move(script);
    running->prompt_tokens = static_cast<int>(request.prompt.size());
    running->sink = std::move(sink);
    running_.push_back(std::move(running));
    changed_.notify_all();
    return last_id_;
  }

  void cancel(RequestId id) override {
    const std::scoped_lock lock(mutex_);
    cancelled_.insert(id);
    changed_.notify_all();
  }

  inference::engine::EngineStats stats() const override {
    const std::scoped_lock lock(mutex_);
    inference::engine::EngineStats stats;
    stats.running = static_cast<int>(running_.size()) + (current_ ? 1 : 0);
    stats.max_context = max_context;
    return stats;
  }

  Request request(std::size_t index) const {
    const std::scoped_lock lock(mutex_);
    return requests_.at(index);
  }
  std::size_t num_cancelled() const {
    const std::scoped_lock lock(mutex_);
    return cancelled_.size();
  }
  // Blocks until no request runs.
  void wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return running_.empty() && !current_; });
  }

  std::atomic<int> max_context = 0;

 private:
  struct Running {
    RequestId id = 0;
    EngineScript script;
    int prompt_tokens = 0;
    std::size_t num_delivered = 0;
    std::shared_ptr<inference::engine::TokenSink> sink;
  };

  void loop() {
    for (;;) {
      std::unique_ptr<Running> running = next();
      if (!running) return;
      const bool ended = step(*running);
      const std::scoped_lock lock(mutex_);
      if (!ended) running_.push_back(std::move(running));
      current_ = false;
      changed_.notify_all();
    }
  }

  bool can_move(const Running& running) const {
    const bool waits =
        running.script.until_cancelled && running.num_delivered == running.script.tokens.size();
    return !waits || closing_ || cancelled_.count(running.id) != 0;
  }

  std::unique_ptr<Running> next() {
    std::unique_lock lock(mutex_);
    for (;;) {
      for (auto it = running_.begin(); it != running_.end(); ++it) {
        if (!can_move(**it)) continue;
        std::unique_ptr<Running> found = std::move(*it);
        running_.erase(it);
        current_ = true;
        return found;
      }
      if (closing_) return nullptr;
      changed_.wait(lock);
    }
  }

  // True: the request has ended.
  bool step(Running& running) {
    bool cancelled = false;
    {
      const std::scoped_lock lock(mutex_);
      cancelled = closing_ || cancelled_.count(running.id) != 0;
    }
    if (!cancelled && running.num_delivered < running.script.tokens.size()) {
      running.sink->on_token(running.script.tokens[running.num_delivered++]);
      return false;
    }
    running.sink->on_finish(result_of(running, cancelled));
    return true;
  }

  static inference::engine::FinishedRequest result_of(const Running& running, bool cancelled) {
    inference::engine::FinishedRequest result;
    result.reason = cancelled ? inference::engine::StopReason::cancelled : running.script.reason;
    result.error = running.script.error;
    result.prompt_tokens = running.prompt_tokens;
    result.cached_tokens = running.script.cached_tokens;
    result.constrained_draws = running.script.constrained_draws;
    result.completion_tokens = static_cast<int>(running.num_delivered);
    result.queued = std::chrono::milliseconds(4);
    result.first_token = std::chrono::milliseconds(10);
    result.total = std::chrono::milliseconds(10 + 100 * static_cast<int>(running.num_delivered));
    return result;
  }

  Answer answer_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Running>> running_;  // guarded by mutex_, as all below
  bool current_ = false;                          // one request is off the queue, being stepped
  std::set<RequestId> cancelled_;
  std::vector<Request> requests_;
  RequestId last_id_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace parley::fakes
