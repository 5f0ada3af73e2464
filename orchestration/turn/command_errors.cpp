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

}  // namespace parley::orchestration::turn
