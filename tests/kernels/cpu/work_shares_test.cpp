#include "kernels/cpu/work_shares.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::kernels::cpu {
namespace {

TEST(WorkShares, EveryItemIsTakenOnceByWhomever) {
  for (const int threads : {1, 2, 3}) {
    ComputePool pool(threads);
    WorkShares shares(threads);
    for (const int count : {0, 1, 7, 1000}) {
      for (const int chunk : {1, 3, 2000}) {
        std::vector<int> taken(static_cast<std::size_t>(count));
        for (int i = 0; i < threads; ++i) shares.assign(i, split_work(count, threads, i), chunk);
        auto job = [&](int thread) {
          for (WorkRange range = shares.take(thread); range.begin < range.end; range = shares.take(thread)) {
            for (int i = range.begin; i < range.end; ++i) ++taken[static_cast<std::size_t>(i)];
          }
        };
        pool.run(job);
        for (const int times : taken) ASSERT_EQ(times, 1);
      }
    }
  }
}

TEST(WorkShares, AThreadBeginsWithItsOwnShareInOrder) {
  WorkShares shares(2);
  shares.assign(0, {0, 4}, 2);
  shares.assign(1, {4, 9}, 2);
  for (const WorkRange expected : {WorkRange{4, 6}, {6, 8}, {8, 9}, {0, 2}, {2, 4}, {0, 0}, {0, 0}}) {
    const WorkRange range = shares.take(1);
    EXPECT_EQ(range.begin, expected.begin);
    EXPECT_EQ(range.end, expected.end);
  }
}

TEST(WorkShares, OthersDoTheWorkOfAThreadThatIsHeldUp) {
  ComputePool pool(2);
  WorkShares shares(2);
  shares.assign(0, {0, 50}, 1);
  shares.assign(1, {50, 100}, 1);
  std::atomic<int> left{100};
  int done[2] = {0, 0};
  auto job = [&](int thread) {
    for (WorkRange range = shares.take(thread); range.begin < range.end; range = shares.take(thread)) {
      ++done[thread];
      --left;
      // Thread 1 is stuck in its first item until everything else is done.
      while (thread == 1 && left.load() > 0) std::this_thread::yield();
    }
  };
  pool.run(job);
  EXPECT_EQ(done[0] + done[1], 100);
  EXPECT_LE(done[1], 1);
}

}  // namespace
}  // namespace parley::kernels::cpu
