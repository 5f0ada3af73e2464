#include "orchestration/turn/command_errors.h"

#include <utility>

namespace parley::orchestration::turn {

CommandError command_error(CommandError::Code code, std::string message) {
  CommandError error;
  error.code = code;
  error.message = std::move(message);
  return error;
}

CommandError no_such_conversation() {
  return command_error(CommandError::Code::not_found, "There is no such conversation. Reload the list.");
}

CommandError no_such_message() {
  return command_error(CommandError::Code::not_found,
                       "There is no such message in this conversation. Reload it.");
}

CommandError conversation_is_deleted() {
  return command_error(CommandError::Code::not_found, "The conversation was deleted. Restore it first.");
}

CommandError server_is_shutting_down() {
  return command_error(CommandError::Code::unavailable,
                       "The server is shutting down. Try again when it is back.");
}

CommandError id_conflict() {
  return command_error(CommandError::Code::conflict,
                       "This id was used for something else already. Use a new UUID.");
}

CommandError still_answering() {
  return command_error(CommandError::Code::busy,
                       "The conversation is still answering. Wait for its end, or stop it first.");
}

CommandError call_does_not_wait() {
  return command_error(CommandError::Code::conflict, "This call does not wait for a decision any more.");
}

CommandError tool_has_changed() {
  return command_error(CommandError::Code::conflict,
                       "The tool has changed since this call was shown. Look at what would run now.");
}

}  // namespace parley::orchestration::turn
