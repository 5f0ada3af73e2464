#pragma once
// The rounds of a turn: an answer is generated and saved, its calls run, and the next answer is given their
// results, until one has no calls or a limit is reached. I/O thread. What goes wrong in an answer is its
// status and error; what keeps the turn from going on is thrown.

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/hub_core.h"
#include "orchestration/turn/running_turn.h"

namespace parley::orchestration::turn {

// To the status of the last answer, which is not committed yet.
boost::asio::awaitable<void> run_rounds(CorePtr core, LivePtr live, TurnPtr turn);

}  // namespace parley::orchestration::turn
