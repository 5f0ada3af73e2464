#pragma once
// What several commands answer to a user. Pure functions, any thread, never fail.

#include <string>

#include "orchestration/turn/hub_commands.h"

namespace parley::orchestration::turn {

CommandError command_error(CommandError::Code code, std::string message);

CommandError no_such_conversation();
CommandError no_such_message();
CommandError conversation_is_deleted();
CommandError server_is_shutting_down();
CommandError id_conflict();
CommandError still_answering();
CommandError call_does_not_wait();
CommandError tool_has_changed();

}  // namespace parley::orchestration::turn
