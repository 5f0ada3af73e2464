#pragma once
// A client's command that was carried out, as it is remembered: whoever repeats it gets the same answer, and
// nothing happens twice. A plain value, copied between threads; never fails.

#include <chrono>
#include <cstdint>
#include <string>

#include "orchestration/sessions/conversation.h"

namespace parley::orchestration::sessions {

struct AppliedCommand {
  std::string id;                 // UUID made by the client; has nothing to do with the ids of messages
  std::int64_t content_hash = 0;  // of all that it asked for: tells another command under the same id
  std::string message;            // id of the message that its acknowledgement names; empty: none
  UnixMillis applied_at = 0;
};

// How long commands are remembered; older ones are forgotten when one is added.
struct CommandMemory {
  std::chrono::milliseconds max_age = std::chrono::days(7);
  std::int64_t max_count = 100'000;
};

}  // namespace parley::orchestration::sessions
