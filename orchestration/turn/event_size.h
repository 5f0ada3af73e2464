#pragma once
// How much a message or a call weighs, in memory and in a frame: one measure for the log of events, which
// bounds what it keeps, and for snapshots, which bound what they send. Pure functions, any thread, never
// fail.

#include <cstddef>

#include "orchestration/turn/conversation_events.h"

namespace parley::orchestration::turn {

// Bytes of the texts in it that subscribers see, of lists also what each item takes. The rest is small.
std::size_t bytes_of(const MessageView& message);
std::size_t bytes_of(const CallView& call);

}  // namespace parley::orchestration::turn
