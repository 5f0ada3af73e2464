#pragma once
// A range of work cut into one contiguous share for each thread. A thread takes chunks of its own share, then
// what is left of the others', so a thread that is held up by other programs does not hold up the rest.
//
// assign() for every share by one thread before the job, take() by all threads in it. Nothing fails.

#include <atomic>
#include <cassert>
#include <memory>

#include "kernels/cpu/compute_pool.h"

namespace parley::kernels::cpu {

class WorkShares {
 public:
  explicit WorkShares(int num_threads)
      : num_threads_(num_threads),
        shares_(std::make_unique<Share[]>(static_cast<std::size_t>(num_threads))) {}

  void assign(int thread_index, WorkRange range, int chunk) {
    assert(chunk > 0);
    Share& share = shares_[static_cast<std::size_t>(thread_index)];
    share.next.store(range.begin, std::memory_order_relaxed);
    share.end = range.end;
    share.chunk = chunk;
  }

  // A part of the range that no other call gets; empty when all is taken.
  WorkRange take(int thread_index) {
    for (int i = 0; i < num_threads_; ++i) {
      Share& share = shares_[static_cast<std::size_t>((thread_index + i) % num_threads_)];
      // Looked at first: counters of empty shares stay where they are and cannot overflow.
      if (share.next.load(std::memory_order_relaxed) >= share.end) continue;
      const int begin = share.next.fetch_add(share.chunk, std::memory_order_relaxed);
      if (begin < share.end)
        return {begin, begin + share.chunk < share.end ? begin + share.chunk : share.end};
    }
    return {};
  }

 private:
  struct alignas(64) Share {
    std::atomic<int> next{0};
    int end = 0;
    int chunk = 1;
  };

  int num_threads_;
  std::unique_ptr<Share[]> shares_;
};

}  // namespace parley::kernels::cpu
