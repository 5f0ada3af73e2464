#include "kernels/cpu/compute_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

namespace parley::kernels::cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;

void spin_for(microseconds time) {
  const auto end = steady_clock::now() + time;
  while (steady_clock::now() < end) {
  }
}

class ComputePoolThreads : public testing::TestWithParam<int> {};

TEST_P(ComputePoolThreads, RunsEachJobOnceOnEveryThread) {
  ComputePool pool(GetParam());
  std::vector<int> calls(static_cast<std::size_t>(GetParam()));
  for (int round = 0; round < 1000; ++round) {
    auto job = [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; };
    pool.run(job);
  }
  for (const int count : calls) EXPECT_EQ(count, 1000);
}

TEST_P(ComputePoolThreads, RunReturnsAfterTheSlowestThread) {
  ComputePool pool(GetParam());
  std::vector<int> done(static_cast<std::size_t>(GetParam()));
  for (int slow = 0; slow < GetParam(); ++slow) {
    auto job = [&](int thread) {
      if (thread == slow) spin_for(microseconds{300});
      done[static_cast<std::size_t>(thread)] = slow + 1;
    };
    pool.run(job);
    for (const int value : done) EXPECT_EQ(value, slow + 1);
  }
}

TEST_P(ComputePoolThreads, BarrierShowsEachThreadWhatTheOthersWrote) {
  ComputePool pool(GetParam());
  const int threads = GetParam();
  std::vector<int> values(static_cast<std::size_t>(threads));
  std::vector<int> wrong(static_cast<std::size_t>(threads));
  auto job = [&](int thread) {
    for (int round = 1; round <= 500; ++round) {
      values[static_cast<std::size_t>(thread)] = round;
      pool.barrier(thread);
      const int sum = std::accumulate(values.begin(), values.end(), 0);
      if (sum != round * threads) ++wrong[static_cast<std::size_t>(thread)];
      pool.barrier(thread);
    }
  };
  pool.run(job);
  pool.run(job);  // phases carry over from one job to the next
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

TEST_P(ComputePoolThreads, BeginningAStepNeitherRunsNorLosesAJob) {
  ComputePool pool(GetParam());
  std::vector<int> calls(static_cast<std::size_t>(GetParam()));
  auto job = [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; };
  for (int round = 0; round < 300; ++round) {
    if (round % 3 == 0) spin_for(microseconds{40});  // past the spin budget: the threads sleep
    for (int i = 0; i < round % 4; ++i) pool.begin_step();
    pool.run(job);
  }
  for (const int count : calls) EXPECT_EQ(count, 300);
}

TEST_P(ComputePoolThreads, GoesOnAfterManyLateWaits) {
  ComputePool pool(GetParam());
  std::int64_t sum = 0;
  auto slow = [&](int thread) {
    if (thread == 0) spin_for(microseconds{60});
  };
  auto count = [&](int thread) {
    if (thread == 0) ++sum;
  };
  for (int round = 0; round < 8; ++round) pool.run(slow);      // puts the other threads to sleep at once
  for (int round = 0; round < 3000; ++round) pool.run(count);  // and back to spinning
  EXPECT_EQ(sum, 3000);
}

INSTANTIATE_TEST_SUITE_P(Threads, ComputePoolThreads, testing::Values(1, 2, 3, 5));

TEST(SplitWork, CoversTheRangeOnceInOrderAndEvenly) {
  for (const int count : {0, 1, 2, 7, 16, 1000003}) {
    for (const int parts : {1, 2, 3, 7}) {
      int next = 0;
      for (int i = 0; i < parts; ++i) {
        const WorkRange range = split_work(count, parts, i);
        EXPECT_EQ(range.begin, next);
        EXPECT_LE(range.end - range.begin, count / parts + 1);
        EXPECT_GE(range.end - range.begin, count / parts);
        next = range.end;
      }
      EXPECT_EQ(next, count);
    }
  }
}

}  // namespace
}  // namespace parley::kernels::cpu
