#pragma once
// The commands on conversations, one coroutine each. I/O thread. What the user did wrong is a CommandError;
// StoreError is thrown on, with nothing changed in memory. They take the conversation's lock, so that
// commands on one conversation follow one another; an answer that is being generated does not hold it.

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

boost::asio::awaitable<CommandResult<ConversationSummary>> create_conversation(CorePtr core, std::string id,
                                                                               std::string title);
boost::asio::awaitable<CommandResult<Done>> rename_conversation(CorePtr core, std::string conversation,
                                                                std::string title);
boost::asio::awaitable<CommandResult<Done>> delete_conversation(CorePtr core, std::string conversation);
boost::asio::awaitable<CommandResult<Done>> restore_conversation(CorePtr core, std::string conversation);
boost::asio::awaitable<CommandResult<Done>> change_chat_settings(CorePtr core, SettingsCommand command);

boost::asio::awaitable<CommandResult<std::string>> send_message(CorePtr core, SendCommand command);
boost::asio::awaitable<CommandResult<std::string>> regenerate_answer(CorePtr core, std::string command_id,
                                                                     std::string conversation,
                                                                     std::string message);
boost::asio::awaitable<CommandResult<Done>> continue_answer(CorePtr core, std::string conversation,
                                                            std::string message);
boost::asio::awaitable<CommandResult<Done>> stop_answer(CorePtr core, std::string conversation);

CommandError no_such_conversation();
// Why no answer can be begun now: shutting down, deleted, or answering already.
std::optional<CommandError> refuse_turn(const HubCore& core, const LiveConversation& live);

}  // namespace parley::orchestration::turn
