#pragma once
// What the engine asks of a model: run one planned step. Called on the engine thread only.
// The real one is model::Transformer over a Backend; tests use a toy model whose next token is a pure
// function of the KV content it reads. Throws std::runtime_error when the device fails.

#include <vector>

#include "inference/backend/step_plan.h"

namespace parley::inference::engine {

class ModelRunner {
 public:
  virtual ~ModelRunner() = default;
  virtual std::vector<backend::SampledToken> run(const backend::StepPlan& plan,
                                                 const backend::SamplePlan& sampling) = 0;
  // Draws from the logits of the last run once more; `sampling` names the rows.
  virtual std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& sampling) = 0;
};

}  // namespace parley::inference::engine
