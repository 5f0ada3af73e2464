#pragma once
// Commands on what people have allowed of tools, one coroutine each. I/O thread. StoreError is thrown on.

#include <boost/asio/awaitable.hpp>

#include "orchestration/turn/hub_commands.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

boost::asio::awaitable<CommandResult<Done>> forget_approval(CorePtr core, ForgetApprovalCommand forget);

}  // namespace parley::orchestration::turn
