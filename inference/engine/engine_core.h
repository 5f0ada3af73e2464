#pragma once
// The engine without its thread: queue, scheduler, KV blocks and model, advanced one step at a time.
//
// Lives on one thread, the engine thread. step() throws what the model throws; all requests are then still
// there, and finish_all() ends them. What the sinks are to hear is collected and told by deliver(), so that
// whoever is told that a request has ended finds its memory freed and the counters settled.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "inference/engine/block_pool.h"
#include "inference/engine/constrained_draws.h"
#include "inference/engine/engine.h"
#include "inference/engine/engine_options.h"
#include "inference/engine/model_runner.h"
#include "inference/engine/read_ahead.h"
#include "inference/engine/scheduler.h"
#include "inference/engine/step_builder.h"

namespace parley::inference::engine {

// Tokens that one request may hold, prompt and answer together.
int request_capacity(const EngineOptions& options);

class EngineCore {
 public:
  using Now = std::function<Clock::time_point()>;

  EngineCore(std::unique_ptr<ModelRunner> runner, const EngineOptions& options, Now now = Clock::now);

  // The request has passed submit's checks.
  void add(Submission submission);
  void cancel(RequestId id);
  // Ends every request; `error` is for StopReason::failed.
  void finish_all(StopReason reason, const std::string& error);

  bool has_work() const { return !scheduler_.empty() || !ahead_.empty(); }
  // One step of the model for whatever can run; for what is read ahead only while there is nothing else.
  void step();
  // Calls the sinks. They may call the engine, but not this object.
  void deliver() noexcept;

  EngineStats stats() const;
  // For tests.
  BlockPool& pool() { return pool_; }
  const Scheduler& scheduler() const { return scheduler_; }
  const ReadAhead& ahead() const { return ahead_; }

 private:
  struct Event {
    std::shared_ptr<TokenSink> sink;
    std::variant<GeneratedToken, FinishedRequest> what;
  };

  std::vector<backend::SampledToken> run(std::span<const Chunk> chunks);
  void commit(std::span<const Chunk> chunks, std::vector<backend::SampledToken> drawn);
  void accept(Sequence& sequence, backend::SampledToken drawn);
  void append_forced_run(Sequence& sequence);
  void note_token(const Sequence& sequence, GeneratedToken token);
  // Behind the token that was appended last; nullopt: the answer goes on.
  std::optional<StopReason> reason_to_end(const Sequence& sequence) const;
  bool is_usable(const backend::SampledToken& drawn) const;
  void fail_stuck_request();
  void read_ahead();
  std::unique_ptr<Sequence> take_out(RequestId id, Retention retention);
  // `result` says why; the rest is filled in here.
  void finish(const Sequence& sequence, FinishedRequest result);

  const int vocab_size_;
  const std::uint64_t cache_root_;
  const ForcedRuns forced_runs_;
  const int capacity_;
  const Now now_;
  const std::unique_ptr<ModelRunner> runner_;
  EngineStats stats_;
  BlockPool pool_;
  Scheduler scheduler_;
  ReadAhead ahead_;
  StepBuilder builder_;
  ConstrainedDraws constrained_;
  std::vector<Chunk> scheduled_;
  std::vector<Event> events_;
};

}  // namespace parley::inference::engine
