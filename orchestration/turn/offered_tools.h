#pragma once
// Which tools a conversation's next answer may call. I/O thread; never fails.

#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

// Those that its settings name, or, where they name none, those that the model's profile has switched on: all
// for `native`, none else. Without those that the operator's rules deny. Of a model that cannot call: none.
ToolOffer offer_tools(HubCore& core, const sessions::Conversation& conversation);

}  // namespace parley::orchestration::turn
