#pragma once
// Ctrl-C (SIGINT) or SIGTERM as a request to stop, so that what was started is ended first; a second one ends
// the program at once. Made on the main thread before any other thread begins: threads inherit that the
// signals are blocked, else the system would give the signal to one of them, and with that end the program.
// One at a time; never fails.

#include <csignal>
#include <stop_token>
#include <thread>

namespace parley::app::cli {

inline constexpr int kInterruptedStatus = 130;  // as shells have it

class InterruptAsStop {
 public:
  InterruptAsStop();
  ~InterruptAsStop();
  InterruptAsStop(const InterruptAsStop&) = delete;
  InterruptAsStop& operator=(const InterruptAsStop&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool has_come() const { return stop_.stop_requested(); }

 private:
  void wait(const std::stop_token& ended);

  sigset_t signals_{};
  sigset_t before_{};
  std::stop_source stop_;
  std::jthread waiter_;
};

}  // namespace parley::app::cli
