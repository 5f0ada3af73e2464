#include "inference/engine/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/inference/engine/sequence_maker.h"

namespace parley::inference::engine {
namespace {

// A scheduler that is told that every step succeeded and that every draw gave some token.
class SchedulerTest : public testing::Test {
 protected:
  using Tokens = std::map<RequestId, int>;

  void make(int num_blocks, const SchedulerOptions& options = {}) {
    pool_ = std::make_unique<BlockPool>(num_blocks);
    scheduler_ = std::make_unique<Scheduler>(options, *pool_, stats_);
  }
  RequestId add(int num_tokens, int priority = 0) {
    scheduler_->add(make_sequence(++last_id_, num_tokens, priority));
    return last_id_;
  }
  // The rows of each request in the step.
  Tokens step() {
    Tokens tokens;
    const auto next = scheduler_->next();
    const std::vector<Chunk> chunks(next.begin(), next.end());
    order_.clear();
    const StepLoad load = load_of(chunks);
    scheduler_->observe(load, 0.01 + 0.004 * load.prefill_tokens + 0.001 * load.decode_rows);
    for (const Chunk& chunk : chunks) {
      order_.push_back(chunk.sequence->id);
      tokens[chunk.sequence->id] = chunk.num_tokens;
      const bool draws = chunk.draws_token();
      scheduler_->commit(chunk);
      if (draws) chunk.sequence->append(static_cast<std::int32_t>(chunk.sequence->id % 50));
    }
    return tokens;
  }
  bool runs(RequestId id) const {
    return std::any_of(scheduler_->running().begin(), scheduler_->running().end(),
                       [id](const auto& s) { return s->id == id; });
  }
  const Sequence& get(RequestId id) const { return *scheduler_->find(id); }
  void finish(RequestId id) { scheduler_->remove(id, Retention::keep); }

  EngineStats stats_;
  std::unique_ptr<BlockPool> pool_;
  std::unique_ptr<Scheduler> scheduler_;
  std::vector<RequestId> order_;  // of the last step's chunks
  RequestId last_id_ = 0;
};

TEST_F(SchedulerTest, PrefillsInLargeChunksWhenNobodyDecodes) {
  make(100);
  const RequestId id = add(600);
  EXPECT_EQ(step(), (Tokens{{id, 256}}));
  EXPECT_EQ(step(), (Tokens{{id, 256}}));
  EXPECT_EQ(step(), (Tokens{{id, 88}}));
  EXPECT_EQ(step(), (Tokens{{id, 1}}));
}

TEST_F(SchedulerTest, CutsPrefillBesideRunningStreamsToTheStepTime) {
  make(200);
  const RequestId stream = add(20);
  step();
  const RequestId big = add(1000);
  for (int i = 0; i < 20; ++i) {
    const Tokens tokens = step();
    ASSERT_EQ(tokens.at(stream), 1);
    ASSERT_EQ(order_.front(), stream) << "decode rows first";
    ASSERT_EQ(tokens.at(big) % 8, 0);
    ASSERT_LE(tokens.at(big), 32);
    ASSERT_GE(tokens.at(big), i > 5 ? 16 : 8) << "4 ms a token, 100 ms a step";
  }
}

TEST_F(SchedulerTest, StaysWithinTheRowsOfAStep) {
  make(200, {.max_sequences = 12, .max_step_tokens = 12, .step_time = std::chrono::seconds(10)});
  for (int i = 0; i < 12; ++i) add(40);
  for (int i = 0; i < 100; ++i) {
    int rows = 0;
    for (const auto& [id, tokens] : step()) rows += tokens;
    ASSERT_LE(rows, 12);
    ASSERT_GT(rows, 0);
  }
  EXPECT_EQ(scheduler_->num_running(), 12);
}

TEST_F(SchedulerTest, LetsAShortPromptPassALongOne) {
  make(400);
  const RequestId big = add(3000);
  step();
  const RequestId brief = add(30);
  const Tokens tokens = step();
  EXPECT_EQ(tokens.at(brief), 30);
  EXPECT_EQ(tokens.at(big), 226);
}

TEST_F(SchedulerTest, LimitsUnfinishedPrefills) {
  make(1000, {.max_partial_prefills = 2});
  add(4000);
  step();
  add(3000);
  step();
  add(2000);
  step();
  EXPECT_EQ(scheduler_->num_running(), 2);
  const RequestId brief = add(100);
  EXPECT_EQ(step().at(brief), 100) << "one that ends in its first step is not held up";
}

TEST_F(SchedulerTest, GivesALoneRequestTheWholePool) {
  make(4);
  const RequestId id = add(60);
  EXPECT_EQ(step().at(id), 60);
}

TEST_F(SchedulerTest, KeepsAReserveForThoseThatRun) {
  make(10);
  const RequestId first = add(16 * 6);
  step();
  const RequestId second = add(16 * 3);
  step();
  EXPECT_FALSE(runs(second)) << "3 of 3 blocks, while two requests may each need one more";
  const RequestId third = add(16);
  step();
  EXPECT_TRUE(runs(first));
  EXPECT_TRUE(runs(third)) << "whoever fits may pass";
}

TEST_F(SchedulerTest, PreemptsTheLowestPriorityThenTheLatestArrival) {
  make(10, {.hysteresis_steps = 0});
  const RequestId low = add(16 + 8, -1);
  const RequestId early = add(16 + 8);
  const RequestId late = add(16 + 8);
  while (stats_.preemptions == 0) step();
  EXPECT_FALSE(runs(low));
  EXPECT_TRUE(runs(early) && runs(late));
  while (runs(late)) step();
  EXPECT_TRUE(runs(early));
}

// Seven small requests push a large one out. Its memory would do for a new tiny one at once, but not twice
// over.
TEST_F(SchedulerTest, AdmitsNobodyWhenItPreemptsAndIsWaryForAWhile) {
  std::map<int, int> steps_until_admitted;
  for (const int hysteresis_steps : {0, 3}) {
    stats_ = {};
    make(34, {.max_partial_prefills = 10, .hysteresis_steps = hysteresis_steps});
    for (int i = 0; i < 7; ++i) add(17 + 2 * i);
    const RequestId large = add(190, -1);
    step();
    ASSERT_TRUE(runs(large));
    const RequestId tiny = add(5, 1);
    while (stats_.preemptions == 0) {
      ASSERT_FALSE(runs(tiny)) << "it would take the reserve";
      step();
    }
    ASSERT_FALSE(runs(large));
    ASSERT_FALSE(runs(tiny)) << "in the step of a preemption";
    ASSERT_EQ(scheduler_->num_running(), 7);
    do {
      step();
      ASSERT_LT(++steps_until_admitted[hysteresis_steps], 10);
    } while (!runs(tiny));
  }
  EXPECT_EQ(steps_until_admitted[0], 1);
  EXPECT_EQ(steps_until_admitted[3], 3);
}

TEST_F(SchedulerTest, ResumesFromItsOwnPublishedBlocks) {
  make(8);
  const RequestId first = add(40);
  const RequestId second = add(40);
  while (stats_.preemptions == 0) step();
  ASSERT_FALSE(runs(second));
  finish(first);
  const Tokens resumed = step();
  EXPECT_LE(resumed.at(second), 32) << "what was in no full block, and the block that the first one took";
  EXPECT_LE(stats_.recomputed_tokens, 32u);
}

// Full pool, six requests that want to grow: at any time some wait, but work is not done over and over.
TEST_F(SchedulerTest, DoesNotThrash) {
  make(24);
  for (int i = 0; i < 6; ++i) add(64);
  std::uint64_t drawn = 0;
  std::set<RequestId> ended;
  int steps = 0;
  while (ended.size() < 6 && ++steps < 10000) {
    step();
    for (RequestId id = 1; id <= 6; ++id) {
      const Sequence* sequence = scheduler_->find(id);
      if (sequence == nullptr || sequence->num_generated() < 150) continue;
      EXPECT_LE(sequence->num_preemptions, 4);
      drawn += 150;
      finish(id);
      ended.insert(id);
    }
  }
  EXPECT_EQ(ended.size(), 6u);
  EXPECT_GT(stats_.preemptions, 2u);
  EXPECT_LT(stats_.recomputed_tokens, drawn);
}

// Someone always has a higher priority, and there is one slot.
TEST_F(SchedulerTest, AdmitsALowPriorityRequestAgainstEndlessHigherOnes) {
  make(50, {.max_sequences = 1, .ranking = {.starvation_bound = 10}});
  const RequestId low = add(20, -5);
  int passed = 0;
  while (!runs(low)) {
    ASSERT_LE(passed, 10);
    const RequestId rival = add(20, 100);
    step();
    if (!runs(rival)) continue;
    ++passed;
    finish(rival);
  }
  EXPECT_EQ(passed, 10);
  EXPECT_EQ(stats_.starvation_promotions, 1u);
}

// Small requests that always fit would keep a large one out for ever.
TEST_F(SchedulerTest, KeepsMemoryForAStarvedRequest) {
  make(20, {.ranking = {.starvation_bound = 5}});
  std::vector<RequestId> small = {add(60)};
  step();
  const RequestId large = add(16 * 15);
  int steps = 0;
  while (!runs(large) && ++steps < 100) {
    small.push_back(add(60));
    step();
    if (runs(small.front())) {
      finish(small.front());
      small.erase(small.begin());
    }
  }
  EXPECT_LT(steps, 100);
  EXPECT_LE(get(large).num_passes, 5);
}

TEST_F(SchedulerTest, GivesEveryBlockBackWhereverARequestIsRemoved) {
  make(30, {.max_sequences = 2});
  const RequestId decoding = add(20);
  step();
  const RequestId prefilling = add(300);
  const RequestId waiting = add(20);
  step();
  EXPECT_EQ(scheduler_->num_waiting(), 1);
  for (const RequestId id : {decoding, prefilling, waiting}) {
    EXPECT_EQ(scheduler_->remove(id, Retention::keep)->id, id);
    EXPECT_EQ(scheduler_->remove(id, Retention::keep), nullptr);
  }
  EXPECT_TRUE(scheduler_->empty());
  EXPECT_EQ(pool_->available(), 30);
}

TEST_F(SchedulerTest, PlansNothingWithoutRequests) {
  make(4);
  EXPECT_TRUE(step().empty());
  EXPECT_EQ(scheduler_->stuck(), nullptr);
  EXPECT_EQ(scheduler_->any(), nullptr);
}

}  // namespace
}  // namespace parley::inference::engine
