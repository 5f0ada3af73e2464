#pragma once
// Settings of an engine. Plain data, any thread, constant once the engine is made. A setting of the scheduler
// is one field of SchedulerOptions, read by the scheduler.

#include <chrono>
#include <cstdint>

namespace parley::inference::engine {

// How waiting requests grow older (rank.h).
struct RankRules {
  int starvation_bound = 64;     // passed over this often: goes to the front
  int passes_per_priority = 16;  // passed over this often: counts as one priority higher
};

struct SchedulerOptions {
  int max_sequences = 16;  // running at once; at most max_step_tokens are, so that all can decode in a step
  int max_step_tokens = 256;                 // rows of the largest step
  std::chrono::milliseconds step_time{100};  // prefill beside running streams is cut to add at most this
  int max_partial_prefills = 4;  // a new prompt that would not end in its first step waits for one of these
  int twin_patience = 16;        // steps to wait for a twin that makes no progress
  int hysteresis_steps = 16;     // after a preemption admission needs twice the reserve for so many steps
  RankRules ranking{};
};

// Tokens about which a constraint leaves no choice.
enum class ForcedRuns : std::uint8_t {
  appended,  // at once, undrawn: the next step computes them together with the token before them
  drawn,     // one by one, as all others
};

struct EngineOptions {
  int num_blocks = 0;     // KV blocks of the backend
  int max_context = 0;    // tokens of prompt and answer together
  int max_waiting = 256;  // queue; beyond it submit is rejected
  int vocab_size = 0;
  std::uint64_t cache_root = 0;  // model fingerprint, KV type and rope settings, hashed
  SchedulerOptions scheduling{};
  ForcedRuns forced_runs = ForcedRuns::appended;
};

}  // namespace parley::inference::engine
