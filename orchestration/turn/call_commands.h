#pragma once
// Commands on the calls of an answer, one coroutine each. I/O thread. What the user did wrong is a
// CommandError; StoreError is thrown on. Those that change something take the conversation's lock, which a
// turn that waits for a decision must not hold.

#include <cstddef>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

boost::asio::awaitable<CommandResult<Done>> decide_call(CorePtr core, DecideCommand decide);
boost::asio::awaitable<CommandResult<Done>> cancel_call(CorePtr core, CancelCallCommand cancel);

// A piece of what the call's tool gave, as long as a frame carries.
boost::asio::awaitable<CommandResult<sessions::OutputPiece>> read_call_output(CorePtr core,
                                                                              OutputRequest request);
boost::asio::awaitable<std::optional<calls::CallImage>> read_call_image(CorePtr core, std::string call,
                                                                        std::size_t number);

}  // namespace parley::orchestration::turn
