#pragma once
// How one token is drawn from a row of logits: the definition, and its obvious twin by a full sort in
// float64. Pure, any thread. Never fails; no logits is an assertion.
//
// clang-format off
//
// 0. Mask: a token whose bit is not set cannot be drawn, as if its logit were -infinity. Log-probabilities do not
//    know of it.
// 1. Repetition penalty: the logit of a seen token is divided by the penalty when positive, multiplied
//    otherwise, and held to the largest finite f32.
// 2. Temperature 0: the highest logit, the lowest id among equals.
//    Otherwise weight = exp((logit - highest) / temperature).
// 3. top-k: the k highest logits stay, lower ids first among equals.
// 4. top-p: of those, in that order, the shortest run whose share of their weight reaches top_p; at least one.
// 5. min-p: of those, the ones whose weight is at least min_p times that of the best.
// 6. Draw: with u in [0, 1) from Philox4x32-10 (Salmon et al. 2011) keyed by seed and counted by draw, the
//    first token in order of id at which the running weight exceeds u times the weight of all that are left.
//
// A logit of -infinity is a token that cannot be drawn. NaN, +infinity, or nothing that can be drawn: not finite.
//
// clang-format on

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace parley::kernels::reference {

struct SeenToken {
  std::int32_t token_id = 0;
  std::int32_t count = 0;  // times it occurred; the repetition penalty does not depend on it
};

struct SampleSettings {
  float temperature = 0.0f;
  int top_k = 0;       // <= 0: off
  float top_p = 1.0f;  // >= 1: off
  float min_p = 0.0f;  // <= 0: off
  float repeat_penalty = 1.0f;
  std::span<const SeenToken> seen = {};  // unique ids within the vocabulary
  std::span<const std::uint64_t> allowed =
      {};  // empty: all; else [ceil(vocab / 64)], bit `id` of word id / 64
  std::uint64_t seed = 0;
  std::uint64_t draw = 0;
  int num_logprobs = -1;  // -1: none; 0: of the drawn token; k: also of the k best
};

struct TokenLogprob {
  std::int32_t token_id = 0;
  float logprob = 0.0f;  // natural logarithm, of the logits as given (no penalty, no temperature)
};

struct Sample {
  std::int32_t token_id = -1;
  bool finite = true;
  float logprob = 0.0f;           // when num_logprobs >= 0
  std::vector<TokenLogprob> top;  // when num_logprobs > 0: best first, lower ids first among equals;
                                  // no token that cannot be drawn
};

//   logits  [vocab] f32
Sample sample(std::span<const float> logits, const SampleSettings& settings);

// One block of the counter-based generator.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// The u of step 6: the top 53 bits of the first two words of the block, as a fraction.
double philox_uniform(std::uint64_t seed, std::uint64_t draw);

}  // namespace parley::kernels::reference
