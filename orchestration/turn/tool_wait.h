#pragma once
// Tools that a conversation has switched on while their server is still starting, as right after the start of
// Parley: a question waits for them, rather than be answered without. I/O thread; never fails.

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/running_turn.h"

namespace parley::orchestration::turn {

// Whether a tool that is switched on is not there, and one of the servers that start may bring it.
bool waits_for_tools(const HubCore& core, const sessions::Conversation& conversation);

// Until they are there, the turn is told to stop, or HubOptions::tool_patience, counted from the turn's
// beginning, is over.
boost::asio::awaitable<void> wait_for_tools(CorePtr core, LivePtr live, TurnPtr turn);

}  // namespace parley::orchestration::turn
