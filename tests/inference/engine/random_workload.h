#pragma once
// One random workload for the engine, a pure function of its seed: options, requests (with common prefixes,
// salts, priorities, limits, stop ids, sampling, constraints, some poisoned, some only read ahead), when they
// arrive and which are cancelled when.

#include <random>
#include <string>
#include <vector>

#include "tests/fakes/toy_constraint.h"
#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {

class RandomWorkload {
 public:
  explicit RandomWorkload(std::uint64_t seed) : random_(seed), options_(draw_options()), harness_(options_) {
    for (int i = 0; i < 3; ++i) {
      // A prompt leaves room for one token of answer.
      const int capacity = request_capacity(options_.engine);
      bases_.push_back(toy_tokens(between(1, capacity - 1), between(0, 1 << 30), options_.model.vocab_size));
    }
  }

  // Plays the first `num_requests` requests; the first thing wrong, or nothing.
  std::string play(int num_requests) {
    while (static_cast<int>(harness_.last_id()) < num_requests || harness_.core().has_work()) {
      for (int i = between(0, 2); i > 0 && static_cast<int>(harness_.last_id()) < num_requests; --i) {
        harness_.submit(draw_request());
        if (chance(read_ahead_chance_)) harness_.submit(draw_read_ahead());
      }
      if (harness_.last_id() > 0 && chance(cancel_chance_)) {
        harness_.cancel(static_cast<RequestId>(between(1, static_cast<int>(harness_.last_id()))));
      }
      if (!harness_.core().has_work()) continue;
      if (std::string wrong = harness_.step(); !wrong.empty()) return wrong;
      if (harness_.stats().steps > 100000) return "no end";
    }
    return find_wrong_end();
  }

  const CoreHarness& harness() const { return harness_; }

 private:
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return between(1, 100) <= percent; }

  CoreHarness::Options draw_options() {
    CoreHarness::Options options;
    options.engine.num_blocks = chance(30) ? between(1, 4) : between(4, 24);
    options.engine.max_context = between(2, 250);
    options.engine.vocab_size = options.model.vocab_size = between(2, 40);
    options.engine.cache_root = static_cast<std::uint64_t>(between(0, 1000));
    options.model.poison_token = chance(20) ? 1 : -1;
    options.engine.scheduling = {.max_sequences = between(1, 9),
                                 .max_step_tokens = chance(30) ? between(1, 8) : between(8, 64),
                                 .max_partial_prefills = between(1, 4),
                                 .twin_patience = between(0, 10),
                                 .hysteresis_steps = between(0, 16),
                                 .ranking = {.starvation_bound = between(1, 20)}};
    options.prefill_token_seconds = between(1, 20) * 0.001;
    cancel_chance_ = chance(50) ? 0 : between(1, 20);
    read_ahead_chance_ = chance(70) ? 0 : between(1, 50);
    return options;
  }

  // A prefix of one of few long prompts, then tokens of its own.
  Request draw_request() {
    const auto& base = bases_[static_cast<std::size_t>(between(0, 2))];
    const int longest = request_capacity(options_.engine) - 1;
    const int shared = chance(20) ? static_cast<int>(base.size()) : between(0, static_cast<int>(base.size()));
    std::vector<std::int32_t> prompt(base.begin(), base.begin() + shared);
    const int own = chance(30) ? 0 : between(0, std::min(20, longest - shared));
    for (int i = 0; i < own || prompt.empty(); ++i)
      prompt.push_back(between(0, options_.model.vocab_size - 1));
    Request request = toy_request(std::move(prompt), chance(20) ? 0 : between(1, 100));
    if (chance(30)) request.stop_ids = {0};
    if (chance(50)) request.sampling.temperature = 0.8f;
    request.sampling.seed = static_cast<std::uint64_t>(between(0, 1000));
    if (chance(30)) request.sampling.repeat_penalty = 1.1f;
    request.priority = between(-1, 1);
    request.cache_salt = chance(20) ? 1 : 0;
    if (chance(30)) {
      request.constraint =
          std::make_shared<fakes::ToyConstraint>(options_.model.vocab_size, chance(50) ? 0 : between(1, 60),
                                                 between(1, 12), chance(50) ? 0 : between(1, 95));
    }
    return request;
  }

  // Of one of the prompts that others begin with.
  Request draw_read_ahead() {
    const auto& base = bases_[static_cast<std::size_t>(between(0, 2))];
    Request request =
        toy_read_ahead({base.begin(), base.begin() + between(1, static_cast<int>(base.size()))});
    request.cache_salt = chance(20) ? 1 : 0;
    return request;
  }

  std::string find_wrong_end() {
    for (RequestId id = 1; id <= harness_.last_id(); ++id) {
      if (std::string wrong = harness_.find_wrong_answer(id); !wrong.empty()) return wrong;
    }
    const EngineStats stats = harness_.stats();
    if (stats.referenced_blocks != 0) return "blocks are still held";
    const bool all_ran = stats.finished[static_cast<std::size_t>(StopReason::cancelled)] == 0 &&
                         stats.finished[static_cast<std::size_t>(StopReason::failed)] == 0;
    if (all_ran &&
        stats.prompt_tokens != stats.cached_tokens + stats.computed_tokens - stats.recomputed_tokens) {
      return "prompt tokens are not computed + cached";
    }
    harness_.core().pool().drop_cache();
    return harness_.core().pool().num_free() == options_.engine.num_blocks ? "" : "a block is lost";
  }

  std::mt19937_64 random_;
  int cancel_chance_ = 0;  // of each step, in percent, as the next
  int read_ahead_chance_ = 0;
  const CoreHarness::Options options_;
  CoreHarness harness_;
  std::vector<std::vector<std::int32_t>> bases_;
};

}  // namespace parley::inference::engine
