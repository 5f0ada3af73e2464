#include "inference/engine/waiting_queue.h"

#include <gtest/gtest.h>

#include "tests/inference/engine/pool_writer.h"
#include "tests/inference/engine/sequence_maker.h"

namespace parley::inference::engine {
namespace {

std::vector<RequestId> order(WaitingQueue& queue, const BlockPool& pool) {
  std::vector<RequestId> ids;
  for (const Candidate& candidate : queue.candidates(pool)) ids.push_back(candidate.sequence->id);
  return ids;
}

using Ids = std::vector<RequestId>;

TEST(WaitingQueue, OrdersByPriorityThenArrival) {
  BlockPool pool(4);
  WaitingQueue queue({});
  queue.add(make_sequence(1, 20));
  queue.add(make_sequence(2, 20, 5));
  queue.add(make_sequence(3, 20, -1));
  queue.add(make_sequence(4, 20, 5));
  EXPECT_EQ(order(queue, pool), (Ids{2, 4, 1, 3}));
}

TEST(WaitingQueue, PutsPreemptedRequestsBeforeNewOnes) {
  BlockPool pool(4);
  WaitingQueue queue({});
  queue.add(make_sequence(1, 20));
  auto preempted = make_sequence(2, 20);
  preempted->num_preemptions = 1;
  queue.add(std::move(preempted));
  EXPECT_EQ(order(queue, pool), (Ids{2, 1}));
}

TEST(WaitingQueue, PrefersALargerCachedPartAmongEquals) {
  BlockPool pool(8);
  PoolWriter writer(pool);
  writer.write({7, 8}, 0);
  WaitingQueue queue({});
  const auto add = [&](RequestId id, std::vector<std::int32_t> prompt) {
    queue.add(make_sequence(id, toy_request(std::move(prompt), 1)));
  };
  std::vector<std::int32_t> cached(16, 7);
  cached.push_back(1);
  std::vector<std::int32_t> half_cached(16, 7);
  half_cached.insert(half_cached.end(), 20, 1);
  add(1, toy_tokens(17, 1));
  add(2, half_cached);
  add(3, cached);
  EXPECT_EQ(order(queue, pool), (Ids{3, 2, 1}));
  EXPECT_EQ(queue.candidates(pool)[0].hit_blocks, 1);
}

TEST(WaitingQueue, RaisesWhatWasPassedOver) {
  BlockPool pool(4);
  WaitingQueue queue({.starvation_bound = 6, .passes_per_priority = 3});
  queue.add(make_sequence(1, 20, -2));
  int num_starved = 0;
  for (RequestId id = 2; id <= 7; ++id) {
    queue.add(make_sequence(id, 20, 1));
    ASSERT_EQ(num_starved, 0);
    ASSERT_EQ(order(queue, pool).front(), id) << "not raised yet";
    const Sequence& next = *queue.candidates(pool).front().sequence;
    EXPECT_EQ(queue.admit(next, num_starved)->id, id);
  }
  EXPECT_EQ(num_starved, 1);
  queue.add(make_sequence(8, 20, 1000));
  EXPECT_EQ(order(queue, pool), (Ids{1, 8})) << "starved: before any priority";
}

TEST(WaitingQueue, CountsOnlyPassesByYoungerRequests) {
  WaitingQueue queue({});
  queue.add(make_sequence(1, 20));
  queue.add(make_sequence(2, 20));
  queue.add(make_sequence(3, 20));
  int num_starved = 0;
  queue.admit(*queue.sequences()[1], num_starved);
  EXPECT_EQ(queue.sequences()[0]->num_passes, 1);
  EXPECT_EQ(queue.sequences()[1]->num_passes, 0);
}

TEST(WaitingQueue, RemovesById) {
  WaitingQueue queue({});
  queue.add(make_sequence(1, 20));
  EXPECT_EQ(queue.remove(2), nullptr);
  EXPECT_EQ(queue.remove(1)->id, 1u);
  EXPECT_EQ(queue.remove(1), nullptr);
  EXPECT_TRUE(queue.empty());
}

TEST(WaitingQueue, SurvivesExtremePriorities) {
  BlockPool pool(4);
  WaitingQueue queue({.starvation_bound = 64, .passes_per_priority = 1});
  queue.add(make_sequence(1, 20, std::numeric_limits<int>::min()));
  queue.add(make_sequence(2, 20, std::numeric_limits<int>::max()));
  int num_starved = 0;
  queue.add(make_sequence(3, 20, std::numeric_limits<int>::max()));
  queue.admit(*queue.sequences()[2], num_starved);
  EXPECT_EQ(order(queue, pool), (Ids{2, 1}));
}

}  // namespace
}  // namespace parley::inference::engine
