#pragma once
// Commands on conversations that begin no answer, one coroutine each. I/O thread. What the user did wrong is
// a CommandError; StoreError is thrown on, with nothing changed in memory. They take the conversation's lock,
// so that commands on one conversation follow one another.

#include <string>

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

boost::asio::awaitable<CommandResult<ConversationSummary>> create_conversation(CorePtr core,
                                                                               std::string command_id,
                                                                               std::string conversation,
                                                                               std::string title);
boost::asio::awaitable<CommandResult<Done>> rename_conversation(CorePtr core, std::string command_id,
                                                                std::string conversation, std::string title);
boost::asio::awaitable<CommandResult<Done>> delete_conversation(CorePtr core, std::string command_id,
                                                                std::string conversation);
boost::asio::awaitable<CommandResult<Done>> restore_conversation(CorePtr core, std::string command_id,
                                                                 std::string conversation);
boost::asio::awaitable<CommandResult<Done>> change_chat_settings(CorePtr core, SettingsCommand command);

}  // namespace parley::orchestration::turn
