#pragma once
// Running the calls of an answer, whether a person watches (RunningCalls) or a program waits (CallRound):
// what is said of a call before it runs, a place for it, and the run. I/O thread; what goes wrong in a call
// is its outcome.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "orchestration/prompt/chat_message.h"
#include "orchestration/turn/call_runner.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::orchestration::turn {

// Plans for all of them, in their order, made on the desk's planning threads. The tools outlive the call.
boost::asio::awaitable<std::vector<CallPlan>> plan_calls(ToolDesk& desk, const tools::ToolSet& offered,
                                                         std::vector<prompt::MessageCall> calls);

// Identical calls of a turn, by name and arguments.
class CallRepeats {
 public:
  // False: with this one it was made `limit` times, and is not to run.
  bool add(const CallPlan& plan, int limit);

 private:
  std::map<std::string, int> counts_;
};

// What a model is told of a call that the rules deny, and of one that ran when the server ended.
inline constexpr std::string_view kDeniedByRules = "The operator's rules do not allow this tool.";
inline constexpr std::string_view kMayHaveRun =
    "The server was stopped while this call ran. Whether it took effect is not known.";

struct CallVerdict {
  enum class Kind : std::uint8_t { run, ask, deny, fail };
  Kind kind = Kind::run;
  std::string result = {};  // of deny and fail: for the model
};

// `broken`: why what the model wrote is no call; empty: it is one. `chat`: the conversation; empty: none.
CallVerdict judge_call(ToolDesk& desk, CallRepeats& repeats, const CallPlan& plan, const std::string& broken,
                       const std::string& chat);

// The places that the calls of one turn take: those of each tool, and at most ToolLimits::max_parallel.
class CallPlaces {
 public:
  // Given back when it is destroyed, if the desk is still there; the CallPlaces outlive it.
  class Place {
   public:
    Place(CallPlaces& places, tools::ToolPointer tool);
    Place(Place&& other) noexcept = default;
    Place& operator=(Place&&) = delete;
    ~Place();

   private:
    CallPlaces& places_;
    std::weak_ptr<ToolDesk> desk_;
    tools::ToolPointer tool_;  // null: moved from
  };

  explicit CallPlaces(ToolDesk& desk) : desk_(desk) {}

  // Waits for one. Nothing: `is_over` became true before; it is asked every now and then, and outlives the
  // wait.
  boost::asio::awaitable<std::optional<Place>> take(tools::ToolPointer tool,
                                                    const std::function<bool()>& is_over);

 private:
  ToolDesk& desk_;
  int taken_ = 0;
};

struct CallRun {
  CallOutcome outcome;
  double elapsed_ms = 0;  // of the tool alone
};

// On the desk's threads and within its limit of time, counted from when a thread is free; `limit` is
// result_tokens() of the round. The plan outlives the run.
boost::asio::awaitable<CallRun> run_planned_call(ToolDesk& desk, const CallPlan& plan,
                                                 tools::CallContext context, ResultLimit limit);

// Said to a user, and to a model of a call that ended with it.
inline constexpr std::string_view kOutOfTime = "The time limit for one answer with tools was reached.";

// Why no round may follow the `rounds` that there were, a sentence; empty: one may.
std::string round_limit(const tools::ToolLimits& limits, int rounds,
                        std::chrono::steady_clock::duration worked);

}  // namespace parley::orchestration::turn
