#include "app/cli/generation.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "orchestration/turn/rejection.h"

namespace parley::app::cli {
namespace {

using inference::engine::Engine;
using inference::engine::FinishedRequest;
using inference::engine::GeneratedToken;
using inference::engine::Rejection;
using inference::engine::Request;
using inference::engine::StopReason;
using inference::engine::TokenSink;

struct Arrival {
  GeneratedToken token;
  std::chrono::steady_clock::time_point time;
};

// Carries tokens from the engine thread to the waiting one. Bounded by the request's max_tokens.
class WaitingSink : public TokenSink {
 public:
  void on_token(const GeneratedToken& token) override {
    const std::lock_guard lock(mutex_);
    arrivals_.push_back({token, std::chrono::steady_clock::now()});
    changed_.notify_one();
  }
  void on_finish(const FinishedRequest& result) override {
    const std::lock_guard lock(mutex_);
    finished_ = result;
    changed_.notify_one();
  }

  // The next token, or nothing when the request has ended.
  std::optional<Arrival> wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !arrivals_.empty() || finished_; });
    if (arrivals_.empty()) return std::nullopt;
    Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    return arrival;
  }
  FinishedRequest finished() {
    const std::lock_guard lock(mutex_);
    return *finished_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Arrival> arrivals_;
  std::optional<FinishedRequest> finished_;
};

inference::engine::RequestId submit(Engine& engine, Request request, const std::shared_ptr<TokenSink>& sink) {
  auto accepted = engine.submit(std::move(request), sink);
  if (const auto* rejection = std::get_if<Rejection>(&accepted))
    throw std::runtime_error(orchestration::turn::rejection_of(*rejection).message);
  return std::get<inference::engine::RequestId>(accepted);
}

GenerationResult collect(Engine& engine, inference::engine::RequestId id, WaitingSink& sink,
                         const OnToken& on_token) {
  GenerationResult result;
  bool cancelled = false;
  while (auto arrival = sink.wait()) {
    result.tokens.push_back(arrival->token);
    result.arrivals.push_back(arrival->time);
    if (!cancelled && on_token && !on_token(arrival->token)) {
      engine.cancel(id);
      cancelled = true;
    }
  }
  result.finished = sink.finished();
  if (result.finished.reason == StopReason::failed) throw std::runtime_error(result.finished.error);
  return result;
}

}  // namespace

GenerationResult generate(Engine& engine, Request request, const OnToken& on_token) {
  const auto sink = std::make_shared<WaitingSink>();
  const auto id = submit(engine, std::move(request), sink);
  return collect(engine, id, *sink, on_token);
}

std::vector<GenerationResult> generate_all(Engine& engine, std::vector<Request> requests) {
  std::vector<std::shared_ptr<WaitingSink>> sinks;
  std::vector<inference::engine::RequestId> ids;
  for (Request& request : requests) {
    sinks.push_back(std::make_shared<WaitingSink>());
    ids.push_back(submit(engine, std::move(request), sinks.back()));
  }
  std::vector<GenerationResult> results;
  for (std::size_t i = 0; i < ids.size(); ++i) results.push_back(collect(engine, ids[i], *sinks[i], nullptr));
  return results;
}

}  // namespace parley::app::cli
