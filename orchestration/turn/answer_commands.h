#pragma once
// Commands on answers, one coroutine each. I/O thread. What the user did wrong is a CommandError; StoreError
// is thrown on, with nothing changed in memory. They take the conversation's lock, so that commands on one
// conversation follow one another; an answer that is being generated does not hold it.

#include <string>

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

boost::asio::awaitable<CommandResult<std::string>> send_message(CorePtr core, SendCommand command);
boost::asio::awaitable<CommandResult<std::string>> regenerate_answer(CorePtr core, std::string command_id,
                                                                     std::string conversation,
                                                                     std::string message);
boost::asio::awaitable<CommandResult<Done>> continue_answer(CorePtr core, std::string command_id,
                                                            std::string conversation, std::string message);
boost::asio::awaitable<CommandResult<Done>> stop_answer(CorePtr core, std::string command_id,
                                                        std::string conversation);

}  // namespace parley::orchestration::turn
