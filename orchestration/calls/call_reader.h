#pragma once
// Reads calls of one encoding: the seam between the parser and the readers. One reader per opening marker,
// used by one thread. Never throws for what a model writes.

#include <cstdint>
#include <memory>

#include "orchestration/calls/call_format.h"
#include "orchestration/calls/call_input.h"
#include "orchestration/calls/event_writer.h"
#include "orchestration/calls/marker_symbols.h"
#include "orchestration/calls/tool_schemas.h"

namespace parley::orchestration::calls {

// What readers look things up in. Outlives them.
struct CallContext {
  const CallFormat& format;  // resolved
  const MarkerSymbols& symbols;
  const ToolSchemas& tools;
};

enum class ReadStatus : std::uint8_t {
  more,    // waits for input
  done,    // all calls are read; what comes next is not the reader's
  broken,  // the call has been ended with an error; what comes next makes no sense up to the next marker
};

class CallReader {
 public:
  virtual ~CallReader() = default;
  // Takes what is certain. When the input has ended, never answers `more`.
  virtual ReadStatus read(CallInput& input, EventWriter& writer) = 0;
};

inline constexpr const char* kEndedInCall = "the output ended inside the call";
inline constexpr std::size_t kMaxNameBytes = 256;  // of a name with its id

}  // namespace parley::orchestration::calls
