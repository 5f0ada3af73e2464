#pragma once
// One started program, from its start to the proof that nothing of it is left: moves bytes between its
// streams and us, and ends it. One thread. Nothing is thrown; a program that did not start has an outcome
// that says so.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "orchestration/sandbox/launch.h"
#include "orchestration/sandbox/private_home.h"
#include "orchestration/sandbox/program.h"

namespace parley::orchestration::sandbox {

struct Outcome {
  enum class Kind : std::uint8_t { exited, signalled, not_started };
  Kind kind = Kind::not_started;
  int code = 0;         // exit status or signal
  std::string problem;  // why it was not started, and what to do
};

class Supervisor {
 public:
  using Clock = std::chrono::steady_clock;
  using Sink = std::function<void(std::string_view bytes)>;

  struct Sinks {
    Sink output;
    Sink error;
  };

  // From end() on: after kGrace what is left is killed; after kPatience we stop waiting for what even that
  // does not end at once (a process in an uninterruptible wait of the kernel).
  static constexpr std::chrono::milliseconds kGrace{400};
  static constexpr std::chrono::milliseconds kPatience{1700};

  // `program` has been checked (program_check.h).
  Supervisor(const Program& program, Sinks sinks);
  ~Supervisor();  // kills what is left
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // False: it is over, and all output has been given to the sinks.
  bool running() const { return running_; }
  // Waits until something happens, `wake` becomes readable (-1: none), or `until`; handles it.
  void step(int wake, Clock::time_point until);

  void queue_input(std::string_view bytes) { input_.append(bytes); }
  std::size_t queued_input() const { return input_.size() - input_start_; }
  void finish_input() { input_finished_ = true; }  // closed once the queue is written
  void close_input();                              // at once
  void end();                                      // SIGTERM now, SIGKILL after kGrace
  const Outcome& outcome() const { return outcome_; }
  bool lost_patience() const { return lost_patience_; }  // the keeper is still ending it

 private:
  void write_input();
  std::ptrdiff_t read_stream(Descriptor& stream, const Sink& sink);  // what read(2) gave
  void drain(Descriptor& stream, const Sink& sink);
  void read_reports();
  void take_report(const Report& report);
  void take_end(int status);
  void kill_when_due(Clock::time_point now);
  void finish();

  const Program& program_;
  Sinks sinks_;
  PrivateHome home_;
  Launch launch_;
  Outcome outcome_;
  std::string input_;
  std::size_t input_start_ = 0;  // what is before has been written
  std::string fence_words_;  // the first of standard error: bubblewrap's, when the program is never entered
  Clock::time_point ended_at_ = Clock::time_point::max();  // when end() was called
  bool input_finished_ = false;
  bool entered_ = false;
  bool failed_ = false;
  bool fence_failed_ = false;
  bool lost_patience_ = false;
  bool running_ = true;
};

}  // namespace parley::orchestration::sandbox
