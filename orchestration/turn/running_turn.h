#pragma once
// One answer from its first token to its last commit, in the background. I/O thread.
// Whatever goes wrong ends in the answer's status and error, never in an exception; the hub lives on.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/hub_core.h"
#include "orchestration/turn/wakeup.h"

namespace parley::orchestration::turn {

// An answer being generated.
struct RunningTurn {
  explicit RunningTurn(const boost::asio::any_io_executor& executor) : changed(executor) {}

  sessions::Message answer;  // without its text, which grows in the conversation's log
  std::string history_leaf;  // the model is given the path to this message
  bool goes_on = false;      // the answer has a beginning, and is the history's last message
  std::chrono::steady_clock::time_point arrived = std::chrono::steady_clock::now();  // of the command
  std::chrono::duration<double, std::milli> waited{};  // from then until the model was asked
  std::unique_ptr<ChatStream> stream;                  // while the model answers
  bool ended = false;
  Wakeup changed;  // `ended` became true

  // The status that the answer gets: `stopped` by the user, `interrupted` by the server.
  void request_stop(sessions::MessageStatus as);
  std::optional<sessions::MessageStatus> stop_requested;
};

using TurnPtr = std::shared_ptr<RunningTurn>;

// Asks the model for turn->answer; it then has a stream, unless it was told to stop. The result is why the
// model does not take it. Changes nothing that is stored. Throws what reading or the model throws.
boost::asio::awaitable<std::optional<ChatRejection>> ask_model(CorePtr core, LivePtr live, TurnPtr turn);

// Begins to generate turn->answer, which the store and the log know as `streaming`; the model is asked where
// it was not yet. The conversation has no turn.
void start_turn(const CorePtr& core, const LivePtr& live, const TurnPtr& turn);

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
