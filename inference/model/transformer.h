#pragma once
// The forward pass of decoder-only transformers (llama, qwen2), written once against Backend.
// Lives on the engine thread. Weights are immutable after make_transformer returns.

#include <functional>
#include <memory>
#include <vector>

#include "inference/backend/backend.h"

namespace parley::inference::formats {
class GgufFile;
}

namespace parley::inference::model {

class Transformer {
 public:
  virtual ~Transformer() = default;

  // Runs one step: every row through all layers, KV written, a token drawn for each row of `sampling`.
  virtual std::vector<backend::SampledToken> forward(const backend::StepPlan& plan,
                                                     const backend::SamplePlan& sampling) = 0;
  // Draws from the logits of the last step again.
  virtual std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& sampling) = 0;
};

// Share of the weights loaded so far, 0 to 1. Called on the loading thread.
using LoadProgress = std::function<void(double)>;

// Loads the weights of `file` into `backend`, which must outlive the transformer; the file need not. Throws
// std::runtime_error that names the tensor when one is missing or has the wrong shape or type.
std::unique_ptr<Transformer> make_transformer(const formats::GgufFile& file, backend::Backend& backend,
                                              const LoadProgress& progress);

// Throws as make_transformer would, without loading anything.
void check_weights(const formats::GgufFile& file);

}  // namespace parley::inference::model
