#include "kernels/cpu/compute_pool.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <utility>

namespace parley::kernels::cpu {
namespace {

constexpr std::chrono::microseconds kSpinBudget{20};
constexpr int kLateWaitsBeforeSleep = 3;
constexpr int kSleepWaits = 1000;
constexpr int kPausesPerClockRead = 8;  // a pause takes 40 to 140 cycles

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) {
  // Returns early on a signal or when the word has changed already; the caller looks again.
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr,
          0);
}

void futex_wake_all(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr,
          0);
}

// Jobs have even numbers; an odd one in between only wakes.
bool is_wake_call(std::uint32_t started) { return started % 2 != 0; }

void pause_briefly() { __builtin_ia32_pause(); }

// True when the word changed within the budget.
bool spin_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  const auto deadline = std::chrono::steady_clock::now() + kSpinBudget;
  do {
    for (int i = 0; i < kPausesPerClockRead; ++i) {
      if (word.load(std::memory_order_acquire) != seen) return true;
      pause_briefly();
    }
  } while (std::chrono::steady_clock::now() < deadline);
  return word.load(std::memory_order_acquire) != seen;
}

}  // namespace

ComputePool::ComputePool(std::vector<Waiter> waiters) : waiters_(std::move(waiters)) {}

// The object counts as made before its threads start: when one cannot, the destructor ends the others.
ComputePool::ComputePool(int num_threads)
    : ComputePool(std::vector<Waiter>(static_cast<std::size_t>(num_threads))) {
  assert(num_threads >= 1);
  threads_.reserve(waiters_.size() - 1);
  for (int i = 1; i < num_threads; ++i) threads_.emplace_back([this, i] { work(i); });
}

ComputePool::~ComputePool() {
  start_job(nullptr, nullptr);
  for (std::thread& thread : threads_) thread.join();
}

void ComputePool::wait_for_change(Signal& signal, std::uint32_t seen, Waiter& waiter) {
  if (waiter.sleep_waits > 0) {
    --waiter.sleep_waits;
  } else if (spin_for_change(signal.value, seen)) {
    waiter.late_waits = 0;
    return;
  } else if (++waiter.late_waits >= kLateWaitsBeforeSleep) {
    waiter.late_waits = 0;
    waiter.sleep_waits = kSleepWaits;
  }
  // Sequentially consistent, as in wake_sleepers: either the waker sees the sleeper or the sleeper the new
  // value.
  signal.sleepers.fetch_add(1);
  while (signal.value.load() == seen) futex_wait(signal.value, seen);
  signal.sleepers.fetch_sub(1);
}

void ComputePool::wake_sleepers(Signal& signal) {
  if (signal.sleepers.load() > 0) futex_wake_all(signal.value);
}

void ComputePool::begin_step() {
  const std::uint32_t now = started_.value.load(std::memory_order_relaxed);
  if (threads_.empty() || is_wake_call(now)) return;
  ++step_;
  start_counting(waiters_[0]);
  started_.value.store(now + 1);
  wake_sleepers(started_);
}

void ComputePool::start_counting(Waiter& waiter) const {
  if (waiter.step == step_) return;
  waiter.step = step_;
  waiter.late_waits = 0;
  waiter.sleep_waits = 0;
}

void ComputePool::start_job(Call call, void* context) {
  call_ = call;
  context_ = context;
  finished_.value.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  const std::uint32_t now = started_.value.load(std::memory_order_relaxed);
  started_.value.store(now + (is_wake_call(now) ? 1 : 2));
  wake_sleepers(started_);
}

void ComputePool::run_on_all(Call call, void* context) {
  if (!threads_.empty()) start_job(call, context);
  call(context, 0);
  for (std::uint32_t left = finished_.value.load(std::memory_order_acquire); left != 0;
       left = finished_.value.load(std::memory_order_acquire)) {
    wait_for_change(finished_, left, waiters_[0]);
  }
}

void ComputePool::barrier(int thread_index) {
  if (threads_.empty()) return;
  Waiter& waiter = waiters_[static_cast<std::size_t>(thread_index)];
  const std::uint32_t phase = waiter.phase++;
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < num_threads()) {
    wait_for_change(passed_, phase, waiter);
    return;
  }
  arrived_.store(0, std::memory_order_relaxed);
  passed_.value.store(phase + 1);
  wake_sleepers(passed_);
}

void ComputePool::work(int thread_index) {
  Waiter& waiter = waiters_[static_cast<std::size_t>(thread_index)];
  std::uint32_t seen = 0;
  while (true) {
    wait_for_change(started_, seen, waiter);
    seen = started_.value.load(std::memory_order_acquire);
    start_counting(waiter);
    if (is_wake_call(seen)) continue;
    if (call_ == nullptr) return;
    call_(context_, thread_index);
    if (finished_.value.fetch_sub(1) == 1) wake_sleepers(finished_);
  }
}

}  // namespace parley::kernels::cpu
