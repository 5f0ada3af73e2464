#pragma once
// The calls of one answer where nobody can be asked (tool_loop.h), from what the model writes to their
// results. Only tools that need no approval run. I/O thread; what goes wrong in a call is its result.

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/call_work.h"

namespace parley::orchestration::turn {

inline constexpr std::string_view kNobodyWaits =
    "The call was cancelled, since nobody waits for the answer any more.";

using ToolTest = std::function<bool(const tools::Tool&)>;

// All of them outlive the round's calls.
struct CallRoundParts {
  ToolDesk& desk;
  boost::asio::any_io_executor executor;
  tools::ToolSet offered;
  ToolTest is_callers;  // tools that the caller runs itself; empty: there are none
  TokenCounter count;
  int max_context = 0;  // of the model; 0: not known
};

class CallRound {
 public:
  explicit CallRound(std::shared_ptr<const CallRoundParts> parts);

  // While the answer is generated. True: the event is of a call that the caller runs.
  bool take(const calls::CallEvent& event);

  // At its end: returns when each call has ended. Each is in the desk's log then.
  static boost::asio::awaitable<void> run(std::shared_ptr<CallRound> round, CallRepeats& repeats);
  // Ends those that run, and has none begin. `why`: a sentence for the model; the first one counts.
  void stop(std::string_view why);

  // Those that run here.
  const std::vector<sessions::ToolCall>& calls() const { return calls_; }
  bool has_callers() const { return has_callers_; }

 private:
  using Self = std::shared_ptr<CallRound>;  // of coroutines, which may outlive a dropped answer

  bool begin(const calls::CallBegin& event);
  bool belongs_to_caller(const std::string& tool) const;
  void settle(std::size_t index, CallRepeats& repeats);
  void end(std::size_t index, sessions::CallState state, std::string result);
  static boost::asio::awaitable<void> drive(Self self, std::size_t index);

  const std::shared_ptr<const CallRoundParts> parts_;  // shared by the rounds of a turn
  std::vector<sessions::ToolCall> calls_;
  std::vector<std::string> broken_;  // by call: why what the model wrote is none
  std::vector<CallPlan> plans_;      // by call
  bool has_callers_ = false;
  bool is_at_callers_ = false;  // the call that is being written
  std::stop_source stop_;
  std::string why_stopped_{kNobodyWaits};
  CallPlaces places_;
  std::size_t driving_ = 0;
  Wakeup changed_;
};

}  // namespace parley::orchestration::turn
