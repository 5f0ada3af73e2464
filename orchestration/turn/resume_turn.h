#pragma once
// Goes on with a turn that the end of the server cut while one of its calls waited for approval. I/O thread.
// What the user did wrong is a CommandError; StoreError is thrown on.

#include <boost/asio/awaitable.hpp>

#include "orchestration/sessions/applied_command.h"
#include "orchestration/turn/hub_commands.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

// With the conversation's lock held; it has no turn, and the store says that the call awaits approval. Stores
// the note of the command together with what it changes.
boost::asio::awaitable<CommandResult<Done>> resume_with_decision(CorePtr core, LivePtr live,
                                                                 DecideCommand decide,
                                                                 sessions::AppliedCommand command);

}  // namespace parley::orchestration::turn
