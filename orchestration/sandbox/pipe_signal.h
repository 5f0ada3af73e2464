#pragma once
// While it lives, writing to a pipe that nobody reads is an error to this thread and no SIGPIPE to the
// process, whatever the process has decided about that signal. One thread.

#include <signal.h>
#include <time.h>

namespace parley::orchestration::sandbox {

class PipeSignalBlocked {
 public:
  PipeSignalBlocked() {
    sigset_t pending;
    sigemptyset(&pending);
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalBlocked() {
    const timespec at_once = {0, 0};
    while (!was_pending_ && ::sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

}  // namespace parley::orchestration::sandbox
