#pragma once
// A turn from the first token to its last commit, in the background: an answer, or, when the model calls
// tools, a chain of answers, each given the results of the calls of the one above it. I/O thread.
// Whatever goes wrong ends in the answer's status and error, never in an exception; the hub lives on.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/answer_text.h"
#include "orchestration/turn/call_control.h"
#include "orchestration/turn/call_work.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/hub_core.h"
#include "orchestration/turn/reasoning_clock.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

class RunningCalls;

// An answer being worked on; of a turn with several, the newest.
struct RunningTurn {
  explicit RunningTurn(const boost::asio::any_io_executor& executor) : changed(executor) {}

  sessions::Message answer;  // without its text, which grows in the conversation's log
  std::string history_leaf;  // the model is given the path to this message
  bool goes_on = false;      // the answer has a beginning, and is the history's last message
  std::chrono::steady_clock::time_point arrived = std::chrono::steady_clock::now();  // of the command
  std::chrono::duration<double, std::milli> waited{};  // from then until the model was asked
  std::unique_ptr<ChatStream> stream;                  // while the model answers
  ToolOffer offer;                                     // what the model was offered for this answer
  std::shared_ptr<RunningCalls> calls;  // of this answer; shared with the coroutines that run them
  bool resumes_calls = false;           // the answer is complete but for its calls
  std::optional<std::pair<std::string, CallDecision>> decided;  // with resumes_calls: call and decision
  std::chrono::steady_clock::time_point began = arrived;        // of the turn's first answer
  int rounds = 1;
  AnswerText text;           // of this answer
  ReasoningClock reasoning;  // of this answer, or of its last part
  CallRepeats repeats;
  std::chrono::steady_clock::duration waited_for_people{};
  bool waits_for_tools = false;  // whose servers are starting
  bool ended = false;
  Wakeup changed;  // `ended` became true, or it was told to stop

  // The answer's end; what it has stays.
  void fail(std::string sentence);

  // The status that the answer gets: `stopped` by the user, `interrupted` by the server.
  void request_stop(sessions::MessageStatus as);
  std::optional<sessions::MessageStatus> stop_requested;

  // Nothing goes on but that people, or servers of tools, are waited for: an end of the server loses nothing.
  bool only_waits() const;
};

using TurnPtr = std::shared_ptr<RunningTurn>;

// Asks the model for turn->answer; it then has a stream, unless it was told to stop. The result is why the
// model does not take it. Changes nothing that is stored. Throws what reading or the model throws.
boost::asio::awaitable<std::optional<ChatRejection>> ask_model(CorePtr core, LivePtr live, TurnPtr turn);

// Begins to generate turn->answer, which the store and the log know as `streaming`; the model is asked where
// it was not yet. The conversation has no turn.
void start_turn(const CorePtr& core, const LivePtr& live, const TurnPtr& turn);

// The same with turn->answer, which is stored as `streaming` and empty, and is now told to subscribers.
void begin_answer(const CorePtr& core, const LivePtr& live, const TurnPtr& turn);

// Why no answer can be begun now: shutting down, deleted, or answering already.
std::optional<CommandError> refuse_turn(const HubCore& core, const LiveConversation& live);

// How long a command waits for an answer that it stops.
inline constexpr std::chrono::seconds kStopPatience{5};

// Asks the turn to stop and waits until the answer is saved. False: `patience` was over before.
boost::asio::awaitable<bool> stop_turn(TurnPtr turn, sessions::MessageStatus as,
                                       std::chrono::milliseconds patience);

// Saves the end of an answer that the store refused earlier, if there is one. With the conversation's lock
// held. Throws StoreError when the store still refuses.
boost::asio::awaitable<void> save_unsaved(CorePtr core, LivePtr live);
// The last try, before the process ends: what the store still refuses is told the log.
boost::asio::awaitable<void> save_unsaved_at_last(CorePtr core, LivePtr live);

}  // namespace parley::orchestration::turn
