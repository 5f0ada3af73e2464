#pragma once
// The order in which requests deserve service: starved ones first, then by priority raised with age, then by
// arrival. The same order picks who is admitted and, from its end, who is preempted. Pure functions, any
// thread. Cannot fail.

#include <compare>
#include <cstdint>

#include "inference/engine/engine_options.h"
#include "inference/engine/sequence.h"

namespace parley::inference::engine {

// Smaller goes first.
struct Rank {
  bool not_starved = true;
  std::int64_t lowness = 0;  // negated priority
  RequestId arrival = 0;
  auto operator<=>(const Rank&) const = default;
};

inline bool is_starved(const Sequence& sequence, const RankRules& rules) {
  return sequence.num_passes >= rules.starvation_bound;
}

inline Rank rank_of(const Sequence& sequence, const RankRules& rules) {
  if (is_starved(sequence, rules)) return {false, 0, sequence.id};
  const std::int64_t aged =
      std::int64_t{sequence.request.priority} + sequence.num_passes / rules.passes_per_priority;
  return {true, -aged, sequence.id};
}

}  // namespace parley::inference::engine
