#pragma once
// One answer from its first token to its last commit, in the background. I/O thread.
// Whatever goes wrong ends in the answer's status and error, never in an exception; the hub lives on.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

using TurnPtr = std::shared_ptr<RunningTurn>;

// Asks the model for turn->answer; it then has a stream, unless it was told to stop. The result is why the
// model does not take it. Changes nothing that is stored. Throws what reading or the model throws.
boost::asio::awaitable<std::optional<ChatRejection>> ask_model(CorePtr core, LivePtr live, TurnPtr turn);

// Begins to generate turn->answer, which the store and the log know as `streaming`; the model is asked where
// it was not yet. The conversation has no turn.
void start_turn(const CorePtr& core, const LivePtr& live, const TurnPtr& turn);

// Asks the turn to stop and waits until the answer is saved. False: `patience` was over before.
boost::asio::awaitable<bool> stop_turn(TurnPtr turn, sessions::MessageStatus as,
                                       std::chrono::milliseconds patience);

// Saves the end of an answer that the store refused earlier, if there is one. With the conversation's lock
// held. Throws StoreError when the store still refuses.
boost::asio::awaitable<void> save_unsaved(CorePtr core, LivePtr live);
// The last try, before the process ends: what the store still refuses is told the log.
boost::asio::awaitable<void> save_unsaved_at_last(CorePtr core, LivePtr live);

}  // namespace parley::orchestration::turn
