#include "orchestration/turn/resume_turn.h"

#include "orchestration/turn/command_errors.h"

namespace parley::orchestration::turn {

boost::asio::awaitable<CommandResult<Done>> resume_with_decision(CorePtr, LivePtr, DecideCommand,
                                                                 sessions::AppliedCommand) {
  co_return command_error(CommandError::Code::conflict,
                          "The server was restarted while this call waited, and the answer cannot go on. "
                          "Generate it again.");
}

}  // namespace parley::orchestration::turn
