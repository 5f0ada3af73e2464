#pragma once
// How a command is applied once, however often it is sent, over whichever socket, and by whichever run of the
// server: what it changes is stored together with a note of the command, and a repetition finds the note.
// Commands that are refused or fail leave none. I/O thread; StoreError is thrown on.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "orchestration/sessions/applied_command.h"
#include "orchestration/turn/hub_commands.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

// The same in every run of every version: it is stored. Begins with the kind of command.
std::int64_t content_hash(std::initializer_list<std::string_view> fields);

// The note of a command that arrives now; the message of its acknowledgement is not known yet.
sessions::AppliedCommand note_of(HubCore& core, std::string id, std::int64_t content);

// What a command is answered whose id is that of an earlier one: the same as that one, which is the id of a
// message or nothing; or that the id was used for something else.
CommandResult<std::string> repeated_answer(const sessions::AppliedCommand& earlier,
                                           const sessions::AppliedCommand& command);

// None: the command is new. With the lock of its conversation held, so that it stays so. Checks the id too.
boost::asio::awaitable<std::optional<CommandResult<std::string>>> find_repeated(
    CorePtr core, sessions::AppliedCommand command);

CommandResult<Done> without_message(const CommandResult<std::string>& result);

// For a command that found nothing to change.
boost::asio::awaitable<CommandResult<Done>> remember(CorePtr core, sessions::AppliedCommand command);

}  // namespace parley::orchestration::turn
