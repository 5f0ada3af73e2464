#pragma once
// Decides what runs in each step: which requests, how many tokens of each, in which KV blocks. Policy only:
// it knows no tensors and no sinks.
//
// A step: every decoding request gets its row, preempting from the end of the ranking when blocks run out;
// what was forced behind those rows gets some too, while tokens and free blocks last; waiting requests are
// admitted while blocks, slots and prefill tokens last; what is left of the token budget goes to prefills. A
// preempted request gives up its blocks and waits; published blocks stay findable, so that it usually resumes
// with a hit.
//
// Lives on the engine thread. Cannot fail; misuse is an assertion.
//
// Invariants
//  1. running_ is ordered by rank, and its blocks cover num_computed and, while prefilling, all known tokens.
//  2. Published blocks of a table are its first num_published == num_computed / 16.
//  3. At most max_sequences run; the tokens of a step are at most max_step_tokens.

#include <memory>
#include <span>
#include <vector>

#include "inference/engine/block_pool.h"
#include "inference/engine/engine.h"
#include "inference/engine/engine_options.h"
#include "inference/engine/prefill_share.h"
#include "inference/engine/step_time_model.h"
#include "inference/engine/waiting_queue.h"

namespace parley::inference::engine {

class Scheduler {
 public:
  // `pool` and `stats` outlive the scheduler. It counts prompt, cached, computed and recomputed tokens,
  // preemptions, twin waits and starvation promotions in `stats`.
  Scheduler(const SchedulerOptions& options, BlockPool& pool, EngineStats& stats);

  void add(std::unique_ptr<Sequence> sequence);
  // Takes a request out in whatever state it is, and releases its blocks. Null: not here.
  std::unique_ptr<Sequence> remove(RequestId id, Retention retention);

  // The chunks of the next step, decode rows first. Valid until the next call of next() or remove().
  // Empty: nothing can run.
  std::span<const Chunk> next();
  // The step has finished: `chunk`'s rows are in its blocks for good. In the order of next().
  void commit(const Chunk& chunk);
  // Tokens from position `first` on that a step may prefill without lasting longer by more than step_time.
  int prefill_in_step_time(int first) const;
  // How long a step took.
  void observe(const StepLoad& load, double seconds) { step_time_.observe(load, seconds); }

  int max_sequences() const { return options_.max_sequences; }
  int num_running() const { return static_cast<int>(running_.size()); }
  int num_waiting() const { return waiting_.size(); }
  bool empty() const { return running_.empty() && waiting_.empty(); }
  // Null: not here.
  const Sequence* find(RequestId id) const;
  // Some request, or null.
  const Sequence* any() const;
  // After next() gave nothing: the best waiting request, if it can never run. Else null.
  const Sequence* stuck();
  std::span<const std::unique_ptr<Sequence>> running() const { return running_; }
  std::span<const std::unique_ptr<Sequence>> waiting() const { return waiting_.sequences(); }

 private:
  void schedule_decode_rows();
  void add_forced_rows();
  int cover(Sequence& sequence, int num_tokens);
  bool reserve_row(Sequence& sequence);
  void preempt_last();
  void release(Sequence& sequence, Retention retention);
  int prefill_budget() const;
  void admit(int budget);
  bool try_admit(const Candidate& candidate, int budget);
  bool fits_budget(const Candidate& candidate, int budget) const;
  bool take_blocks(Sequence& sequence);
  bool leaves_reserve(int num_blocks) const;
  int reserve_blocks(int num_running) const;
  void start_running(Sequence& sequence);

  const SchedulerOptions options_;
  BlockPool& pool_;
  EngineStats& stats_;
  WaitingQueue waiting_;
  std::vector<std::unique_ptr<Sequence>> running_;
  StepTimeModel step_time_;
  int hysteresis_left_ = 0;  // steps
  bool preempted_ = false;   // in this step
  int num_decode_rows_ = 0;  // of this step, one for each request that decodes
  int num_forced_rows_ = 0;  // of this step, besides those
  std::vector<Sequence*> prefilling_;
  std::vector<Chunk> chunks_;
};

// What the chunks of a step cost, for the step-time model.
StepLoad load_of(std::span<const Chunk> chunks);

}  // namespace parley::inference::engine
