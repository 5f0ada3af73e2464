#pragma once
// A model small enough to be checked by hand: the next token is a pure function of the whole visible KV
// content, so that any wrong block, stale row or missing position changes the output.
//
// The KV row of a position depends on its token, its position and every row before it; the draw depends on
// all rows and on the sampling settings. ToyRunner keeps the rows in a fake paged KV memory and reads them
// through the block table, as a backend does; toy_answer computes the same without any memory and is the
// oracle. One thread; misuse is an error text of ToyRunner.

#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/engine/engine.h"
#include "inference/engine/model_runner.h"

namespace parley::tests::fakes {

namespace backend = inference::backend;
namespace engine = inference::engine;

inline std::uint64_t toy_mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b + 0x2545f4914f6cdd1d;
  x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93;
  return x ^ (x >> 29);
}

// What a row sees: a digest of all rows up to it. `poisoned`: one of them is not finite.
struct ToyState {
  std::uint64_t digest = 1;
  bool poisoned = false;
};

struct ToyRow {
  std::uint64_t value = 0;
  bool poisoned = false;
};

struct ToyModel {
  int vocab_size = 101;
  std::int32_t poison_token = -1;  // its KV row is not finite

  ToyRow row(std::int32_t token, int position, const ToyState& before) const {
    const std::uint64_t own =
        toy_mix(static_cast<std::uint64_t>(token), static_cast<std::uint64_t>(position));
    return {toy_mix(own, before.digest), before.poisoned || token == poison_token};
  }
  ToyState see(const ToyState& before, const ToyRow& row) const {
    return {toy_mix(before.digest, row.value), before.poisoned || row.poisoned};
  }
  backend::SampledToken draw(const ToyState& state, const backend::SampleRow& how) const {
    if (state.poisoned) return {.finite = false, .top = {}};
    std::uint64_t digest = state.digest;
    if (how.temperature > 0.0f) digest = toy_mix(digest, toy_mix(how.seed, how.draw));
    if (how.repeat_penalty != 1.0f) {
      for (const auto& [id, count] : how.seen) digest += toy_mix(static_cast<std::uint64_t>(id), 7u + count);
    }
    backend::SampledToken drawn;
    drawn.token_id = pick(digest, how.allowed);
    if (how.num_logprobs >= 0) drawn.logprob = -static_cast<float>(digest % 1000) / 1000.0f;
    for (int i = 0; i < how.num_logprobs; ++i)
      drawn.top.push_back({(drawn.token_id + i) % vocab_size, -1.0f * i});
    return drawn;
  }
  // One of the allowed tokens; without a mask, of all.
  std::int32_t pick(std::uint64_t digest, std::span<const std::uint64_t> allowed) const {
    if (allowed.empty()) return static_cast<std::int32_t>(digest % static_cast<std::uint64_t>(vocab_size));
    int count = 0;
    for (const std::uint64_t word : allowed) count += std::popcount(word);
    if (count == 0) return -1;
    auto left = static_cast<int>(digest % static_cast<std::uint64_t>(count));
    for (std::int32_t id = 0;; ++id) {
      const auto bit = static_cast<std::size_t>(id);
      if ((allowed[bit / 64] >> (bit % 64) & 1) != 0 && left-- == 0) return id;
    }
  }
};

struct ToyAnswer {
  std::vector<std::int32_t> tokens;
  engine::StopReason reason = engine::StopReason::max_tokens;
};

// What the engine must deliver for `request` when nobody cancels it, with room for `capacity` tokens.
ToyAnswer toy_answer(const ToyModel& model, const engine::Request& request, int capacity);

class ToyRunner final : public engine::ModelRunner {
 public:
  ToyRunner(const ToyModel& model, int num_blocks, int max_rows);

  std::vector<backend::SampledToken> run(const backend::StepPlan& plan,
                                         const backend::SamplePlan& sampling) override;

  std::vector<backend::SampledToken> draw_again(const backend::SamplePlan& sampling) override;

  // Called before each step with its plan; may throw, block or move a fake clock.
  std::function<void(const backend::StepPlan&)> before_step;
  // Whether a block may not be written any more.
  std::function<bool(std::int32_t)> is_published;
  // The first thing wrong with a plan; empty: none so far.
  std::string error;
  int num_steps = 0;

 private:
  void check(const backend::StepPlan& plan, const backend::SamplePlan& sampling);
  ToyRow& row_at(const backend::StepPlan& plan, const backend::SequenceRows& rows, int position);
  void complain(const std::string& what);

  const ToyModel model_;
  const int num_blocks_;
  const int max_rows_;
  std::vector<ToyRow> memory_;    // [block][offset]
  std::vector<ToyState> logits_;  // of the last step, what each logits row sees
};

}  // namespace parley::tests::fakes
