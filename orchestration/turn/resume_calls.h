#pragma once
// Going on with an answer, with its tool calls if it has any, when no turn is at work on it. With the
// conversation's lock held. I/O thread; StoreError is thrown on, with nothing changed in memory.

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/hub_commands.h"
#include "orchestration/turn/hub_core.h"
#include "orchestration/turn/running_turn.h"

namespace parley::orchestration::turn {

// Stores turn->answer, which has a beginning and is `streaming` now, with the command, and has it grow again.
boost::asio::awaitable<CommandResult<Done>> go_on_with_answer(CorePtr core, LivePtr live, TurnPtr turn,
                                                              sessions::AppliedCommand command);

// A new answer below `called`, which is given the results of its calls. Refused while one waits for the user.
boost::asio::awaitable<CommandResult<Done>> answer_results(CorePtr core, LivePtr live,
                                                           sessions::Message called,
                                                           sessions::AppliedCommand command);

// A call still waits for the user although the turn has ended, because the server was started anew: with the
// decision the turn goes on. `conflict` when the call does not wait.
boost::asio::awaitable<CommandResult<Done>> resume_with_decision(CorePtr core, LivePtr live,
                                                                 DecideCommand decide,
                                                                 sessions::AppliedCommand command);

}  // namespace parley::orchestration::turn
