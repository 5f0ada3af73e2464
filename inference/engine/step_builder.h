#pragma once
// Turns the chunks of a step into the arrays that a backend reads. Keeps its buffers from step to step.
// Lives on the engine thread. Cannot fail.

#include <span>

#include "inference/backend/step_plan.h"
#include "inference/engine/prefill_share.h"

namespace parley::inference::engine {

class StepBuilder {
 public:
  // Both plans hold until the next call; the sample plan borrows the sequences' token counts.
  void build(std::span<const Chunk> chunks);
  const backend::StepPlan& plan() const { return plan_; }
  const backend::SamplePlan& sampling() const { return sampling_; }

 private:
  void add_rows(const Chunk& chunk);
  void add_sampling(const Sequence& sequence);

  backend::StepPlan plan_;
  backend::SamplePlan sampling_;
};

}  // namespace parley::inference::engine
