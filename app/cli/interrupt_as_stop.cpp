#include "app/cli/interrupt_as_stop.h"

#include <cstdlib>
#include <ctime>

namespace parley::app::cli {

InterruptAsStop::InterruptAsStop() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiter_ = std::jthread([this](const std::stop_token& ended) { wait(ended); });
}

InterruptAsStop::~InterruptAsStop() {
  waiter_.request_stop();
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void InterruptAsStop::wait(const std::stop_token& ended) {
  while (!ended.stop_requested()) {
    const timespec pause{.tv_sec = 0, .tv_nsec = 20'000'000};
    if (sigtimedwait(&signals_, nullptr, &pause) <= 0) continue;
    if (!stop_.request_stop()) std::_Exit(kInterruptedStatus);
  }
}

}  // namespace parley::app::cli
