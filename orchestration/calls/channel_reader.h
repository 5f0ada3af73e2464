#pragma once
// A whole output in channels (E10, harmony): messages with role, channel and recipient in a header. Analysis
// is reasoning, a recipient makes a call, the rest is content. A malformed header costs only itself. See
// CallReader for threads and failures; this one is never `done`.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Begins where the prompt ends: after <|start|>assistant.
std::unique_ptr<CallReader> make_channel_reader(const CallContext& context);

}  // namespace parley::orchestration::calls
