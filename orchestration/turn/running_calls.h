#pragma once
// The tool calls of one answer, from the first byte that the model writes to the last result. Their state is
// in the answer itself, where snapshots and the store find it. I/O thread. What goes wrong in a call is its
// result; what the store throws comes out of run_all().

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/call_control.h"
#include "orchestration/turn/call_work.h"
#include "orchestration/turn/progress_relay.h"
#include "orchestration/turn/running_turn.h"

namespace parley::orchestration::turn {

class RunningCalls : public CallControl {
 public:
  // `turn` owns this object. With an answer that has calls already (it is resumed), those that ended stay.
  RunningCalls(CorePtr core, LivePtr live, RunningTurn& turn);

  // While the answer is generated.
  void take(const calls::CallEvent& event);
  // The answer ended before its calls could run: the result of each is this sentence.
  void abandon(const std::string& why);
  // The server could not go on with them: none is left writing or running. Those that wait for a user stay.
  void interrupt();

  // Runs them, several at once, those that need it after they were allowed; returns when each has ended. Each
  // change of state is stored before it is acted on.
  static boost::asio::awaitable<void> run_all(std::shared_ptr<RunningCalls> calls, TurnPtr turn);

  // Some do, and nothing else is left of them.
  bool wait_for_people() const;

  bool decide(const std::string& call, CallDecision decision) override;
  void cancel(const std::string& call) override;
  // All of them, as `request_stop` says.
  void stop(sessions::MessageStatus as);

 private:
  // What a call has beside what is stored of it.
  struct Work {
    CallPlan plan;
    std::string broken;  // not empty: why what the model wrote is no call
    std::stop_source stop;
    std::optional<CallDecision> decision;
    bool cancelled = false;
    tools::ToolProgress progress;
  };
  using Self = std::shared_ptr<RunningCalls>;  // of coroutines, which may outlive an abandoned turn

  sessions::ToolCall& call(std::size_t index);
  std::optional<std::size_t> find(const std::string& id);
  bool all_ended() const;
  void begin(const calls::CallBegin& event);
  void publish(std::size_t index);
  void end(std::size_t index, sessions::CallState state, std::string result);
  void settle(std::size_t index);
  bool is_denied_by_rules(std::size_t index) const;
  void grant(std::size_t index);
  void apply_decision(std::size_t index);
  void begin_running(std::size_t index);
  void end_before_run(std::size_t index);
  void end_running(std::size_t index, CallRun done);
  void record(std::size_t index);
  tools::CallContext context_of(std::size_t index, std::shared_ptr<ProgressRelay> relay) const;
  static std::shared_ptr<ProgressRelay> relay_to(const Self& self, std::size_t index);
  void on_progress(std::size_t index, const tools::ToolProgress& progress);
  ResultLimit result_limit(std::size_t index) const;
  // What is stored in `saved` is not held, and not written again with each change of a state.
  void forget_bulk(const sessions::Message& saved);

  static boost::asio::awaitable<void> plan_all(Self self);
  static boost::asio::awaitable<void> save(Self self, TurnPtr turn);
  static boost::asio::awaitable<void> drive(Self self, TurnPtr turn, std::size_t index);
  static boost::asio::awaitable<void> wait_for_decision(Self self, std::size_t index);
  static boost::asio::awaitable<void> run(Self self, TurnPtr turn, std::size_t index);

  const CorePtr core_;
  const LivePtr live_;
  RunningTurn& turn_;
  tools::ToolSet offered_;
  std::vector<std::unique_ptr<Work>> work_;  // by index of the call
  bool are_planned_ = false;                 // all of them: each has its tool, if there is one
  CallPlaces places_;
  std::size_t driving_ = 0;
  std::chrono::steady_clock::duration waited_{};  // for people: the longest, since calls wait together
  std::exception_ptr failure_;
  std::optional<sessions::MessageStatus> stopped_;
  Wakeup changed_;
};

}  // namespace parley::orchestration::turn
