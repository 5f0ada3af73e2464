#pragma once
// A whole output in channels (E10, harmony): messages with role, channel and recipient in a header. Analysis
// is reasoning, a recipient makes a call, the rest is content. A malformed header costs only itself. See
// CallReader for threads and failures; this one is never `done`.

#include <cstdint>
#include <memory>

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Where the prompt ends.
enum class ChannelStart : std::uint8_t {
  header,    // after <|start|>assistant
  analysis,  // inside reasoning that is carried on
};

std::unique_ptr<CallReader> make_channel_reader(const CallContext& context, ChannelStart start);

}  // namespace parley::orchestration::calls
