// The properties of the engine over thousands of random schedules: every accepted request ends once, with the
// tokens that it would get alone in an empty engine, in one chunk, without cache, batch or preemption; memory
// is accounted for after every step; no request starves.

#include <gtest/gtest.h>

#include "tests/inference/engine/random_workload.h"

namespace parley::inference::engine {
namespace {

// The fewest leading requests of the workload that still go wrong, for whoever has to find out why.
std::string shrunk(std::uint64_t seed, int num_requests) {
  for (int fewer = 1; fewer <= num_requests; ++fewer) {
    const std::string wrong = RandomWorkload(seed).play(fewer);
    if (!wrong.empty())
      return wrong + " (seed " + std::to_string(seed) + ", " + std::to_string(fewer) + " requests)";
  }
  return "not reproducible";
}

struct Totals {
  std::uint64_t steps = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t cached_tokens = 0;
  std::uint64_t twin_waits = 0;
  std::uint64_t starvation_promotions = 0;
  std::uint64_t read_ahead_tokens = 0;
  std::uint64_t forced_tokens = 0;
  std::uint64_t finished[5] = {};

  void add(const EngineStats& stats) {
    steps += stats.steps;
    preemptions += stats.preemptions;
    cached_tokens += stats.cached_tokens;
    twin_waits += stats.twin_waits;
    starvation_promotions += stats.starvation_promotions;
    read_ahead_tokens += stats.read_ahead_tokens;
    forced_tokens += stats.forced_tokens;
    for (std::size_t i = 0; i < 5; ++i) finished[i] += stats.finished[i];
  }
};

Totals play_all(std::uint64_t first_seed, int num_seeds) {
  constexpr int kRequests = 16;
  Totals totals;
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(num_seeds); ++seed) {
    RandomWorkload workload(seed);
    const std::string wrong = workload.play(kRequests);
    totals.add(workload.harness().stats());
    if (!wrong.empty()) {
      ADD_FAILURE() << wrong << " (seed " << seed << "); shrunk: " << shrunk(seed, kRequests);
      break;
    }
  }
  return totals;
}

class RandomSchedules : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSchedules, NeverChangeAnAnswerAndNeverLoseARequestOrABlock) {
  std::cout << "seeds from " << GetParam() << "\n";
  const Totals totals = play_all(GetParam(), 1000);
  std::cout << totals.steps << " steps, " << totals.preemptions << " preemptions, " << totals.cached_tokens
            << " cached tokens, " << totals.twin_waits << " twin waits, " << totals.starvation_promotions
            << " starvation promotions, " << totals.read_ahead_tokens << " tokens read ahead, "
            << totals.forced_tokens << " forced tokens\n";
  // The workloads reach the states that they are meant for.
  EXPECT_GT(totals.steps, 100000u);
  EXPECT_GT(totals.preemptions, 300u);
  EXPECT_GT(totals.cached_tokens, 10000u);
  EXPECT_GT(totals.twin_waits, 300u);
  EXPECT_GT(totals.starvation_promotions, 100u);
  EXPECT_GT(totals.read_ahead_tokens, 1000u);
  EXPECT_GT(totals.forced_tokens, 1000u);
  for (const std::uint64_t count : totals.finished) EXPECT_GT(count, 100u);
}

INSTANTIATE_TEST_SUITE_P(FromSeed, RandomSchedules, testing::Values(1, 1001, 2001));

TEST(RandomSchedule, IsReproducible) {
  RandomWorkload first(42);
  RandomWorkload second(42);
  EXPECT_EQ(first.play(16), "");
  EXPECT_EQ(second.play(16), "");
  EXPECT_EQ(first.harness().stats().steps, second.harness().stats().steps);
  EXPECT_EQ(first.harness().stats().computed_tokens, second.harness().stats().computed_tokens);
}

}  // namespace
}  // namespace parley::inference::engine
