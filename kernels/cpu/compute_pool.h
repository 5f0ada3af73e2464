#pragma once
// Persistent compute threads. The calling thread is thread 0, so one thread means no other thread at all.
//
// run() is called by one thread at a time, the engine thread. Jobs must not throw (the process ends if one
// does). The constructor throws std::system_error when a thread cannot be started.
//
// Waiting: spin for at most 20 us, then sleep on a futex. A thread whose last 3 waits all ran over the budget
// shares its core with somebody else: it goes straight to the futex for the next 1,000 waits or to the end of
// the step (spinning there costs milliseconds a step, measured). Threads without work sleep between the steps
// of a model.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace parley::kernels::cpu {

class ComputePool {
 public:
  explicit ComputePool(int num_threads);
  ~ComputePool();
  ComputePool(const ComputePool&) = delete;
  ComputePool& operator=(const ComputePool&) = delete;

  int num_threads() const { return static_cast<int>(waiters_.size()); }

  // Runs job(thread_index) on every thread and returns when all are done (the join).
  template <typename Job>
  void run(Job& job) {
    const auto call = [](void* context, int thread_index) noexcept {
      (*static_cast<Job*>(context))(thread_index);
    };
    run_on_all(call, &job);
  }

  // Inside a job: waits until every thread has called it as often. Every thread must call it.
  void barrier(int thread_index);

  // Many jobs follow within microseconds: wakes the threads ahead of the first, and lets all spin again.
  void begin_step();

 private:
  using Call = void (*)(void* context, int thread_index) noexcept;

  // A counter that threads wait on, alone on its cache line.
  struct alignas(64) Signal {
    std::atomic<std::uint32_t> value{0};
    std::atomic<std::uint32_t> sleepers{0};
  };
  // How a thread's last waits went; each on its own cache line, used by its thread only.
  struct alignas(64) Waiter {
    int late_waits = 0;       // waits in a row that ran over the spin budget
    int sleep_waits = 0;      // waits left that go straight to the futex
    std::uint32_t step = 0;   // step in which these waits were counted
    std::uint32_t phase = 0;  // barriers passed in the current and earlier jobs
  };

  explicit ComputePool(std::vector<Waiter> waiters);
  void run_on_all(Call call, void* context);
  void start_job(Call call, void* context);  // a null call ends the threads
  void work(int thread_index);
  void start_counting(Waiter& waiter) const;  // anew when a step has begun
  // Waits until signal.value != seen.
  static void wait_for_change(Signal& signal, std::uint32_t seen, Waiter& waiter);
  static void wake_sleepers(Signal& signal);

  Call call_ = nullptr;  // written by thread 0 before it advances started_
  void* context_ = nullptr;
  std::uint32_t step_ = 0;  // written by thread 0 between jobs
  Signal started_;          // twice the number of the current job; one more after begin_step()
  Signal finished_;         // threads still at work on it, thread 0 apart
  Signal passed_;           // number of barriers passed by all
  alignas(64) std::atomic<int> arrived_{0};  // threads waiting at the current barrier
  std::vector<Waiter> waiters_;              // [num_threads]
  std::vector<std::thread> threads_;         // [num_threads - 1]
};

// The part of 0 .. count that thread `index` of `parts` works on: contiguous, sizes differ by one at most.
struct WorkRange {
  int begin = 0;
  int end = 0;
};
inline WorkRange split_work(int count, int parts, int index) {
  const auto edge = [&](int i) { return static_cast<int>(static_cast<std::int64_t>(count) * i / parts); };
  return {edge(index), edge(index + 1)};
}

}  // namespace parley::kernels::cpu
