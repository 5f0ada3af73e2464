#pragma once
// One client's view of a conversation: a cursor in its event log, or a snapshot where that does not reach.
// I/O thread. May outlive the hub. Reading throws StoreError when a snapshot cannot be read.

#include <memory>
#include <optional>

#include "orchestration/turn/conversation_hub.h"
#include "orchestration/turn/hub_core.h"

namespace parley::orchestration::turn {

std::unique_ptr<Subscription> make_subscription(CorePtr core, LivePtr live,
                                                const std::optional<ClientPosition>& have);

// A page without token ids, cut from its old end to a size that one frame can carry.
void make_presentable(sessions::MessagePage& page);

}  // namespace parley::orchestration::turn
