#pragma once
// Draws a token from a row of logits: the fast form of kernels/reference/sample.h, which defines what is
// drawn.
//
// Nothing is sorted but the few candidates that can matter. Weights are f32, sums float64; the drawn token is
// the reference's unless u or the border of a filter falls within rounding. The same on every instruction
// set.
//
// A Sampler holds the working memory of one thread. sample() throws std::bad_alloc only.

#include <memory>
#include <span>

#include "kernels/cpu/isa.h"
#include "kernels/reference/sample.h"

namespace parley::kernels::cpu {

class Sampler {
 public:
  explicit Sampler(Isa isa);
  ~Sampler();
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;

  //   logits  [vocab] f32, changed by the repetition penalty meanwhile and restored before it returns
  reference::Sample sample(std::span<float> logits, const reference::SampleSettings& settings);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace parley::kernels::cpu
