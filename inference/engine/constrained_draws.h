#pragma once
// Holds what was drawn to the requests' constraints: draw first, verify after. Where a constraint refuses a
// token, the mask of the allowed ones is made and drawn from again, with a random number of its own. For
// plain temperature sampling that is exactly the masked distribution, since an allowed token t gets p(t) + (1
// - p_ok) p(t) / p_ok = p(t) / p_ok; top-k, top-p and min-p then cut among the allowed tokens only.
//
// Lives on the engine thread. Throws what drawing throws.

#include <cstdint>
#include <span>
#include <vector>

#include "inference/engine/model_runner.h"
#include "inference/engine/prefill_share.h"

namespace parley::inference::engine {

class ConstrainedDraws {
 public:
  explicit ConstrainedDraws(int vocab_size) : vocab_size_(vocab_size) {}

  // `sampling` and `drawn` belong to the chunks that draw a token, in their order. Replaces what was refused;
  // what is not finite stays as it is.
  void correct(std::span<const Chunk> chunks, const backend::SamplePlan& sampling, ModelRunner& runner,
               std::vector<backend::SampledToken>& drawn);

  std::uint64_t num_refused() const { return num_refused_; }

 private:
  bool is_refused(const Sequence& sequence, const backend::SampledToken& drawn) const;
  std::size_t mask_words() const;
  std::span<std::uint64_t> mask(std::size_t index);

  const int vocab_size_;
  std::uint64_t num_refused_ = 0;
  std::vector<std::uint64_t> masks_;  // [refused rows, ceil(vocab / 64)]
  std::vector<std::size_t> refused_;  // indices into `drawn`
  std::vector<Sequence*> owners_;
  backend::SamplePlan again_;
};

}  // namespace parley::inference::engine
