#include "orchestration/turn/approval_commands.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "orchestration/turn/command_errors.h"
#include "orchestration/turn/repeated_command.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;

asio::awaitable<CommandResult<Done>> forget_approval(CorePtr core, ForgetApprovalCommand forget) {
  const sessions::AppliedCommand command =
      note_of(*core, forget.id, content_hash({"forget_approval", forget.tool}));
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  if (core->options.tools != nullptr) {
    const std::optional<std::string> problem = co_await core->options.tools->withdraw(forget.tool);
    if (problem) {
      co_return command_error(
          CommandError::Code::unavailable,
          "Calls are asked for again until the server ends, but this could not be written "
          "down: " +
              *problem + ". Mend that and try again.");
    }
  }
  const CommandResult<Done> result = co_await remember(core, command);
  if (std::holds_alternative<Done>(result)) co_return result;
  // There is no lock that would hold back the same command of another socket.
  if (const auto repeated = co_await find_repeated(core, command)) co_return without_message(*repeated);
  co_return result;
}

}  // namespace parley::orchestration::turn
