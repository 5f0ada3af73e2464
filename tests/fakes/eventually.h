#pragma once
// For tests that wait for another thread.

#include <chrono>
#include <thread>

namespace parley::tests::fakes {

// Polls until `condition` holds; false when it does not within the limit.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds limit = std::chrono::milliseconds(5000)) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace parley::tests::fakes
