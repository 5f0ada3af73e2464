#pragma once
// An answer with calls and the results that follow it. Pure functions, any thread. Never fail.

#include <cstddef>
#include <optional>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::prompt {

struct CallGroup {
  std::size_t answer = 0;
  std::vector<MessageCall> calls;                   // of the answer
  std::vector<std::optional<std::size_t>> results;  // for each call, the message that holds its result
  std::vector<std::size_t> orphans;                 // results among them that are of none of these calls
  std::size_t end = 0;                              // the first message behind the group
};

// `answer`: index of a message with calls. A result that names no call of the answer belongs to the first one
// that no other result names.
CallGroup find_call_group(const std::vector<ChatMessage>& messages, std::size_t answer);

}  // namespace parley::orchestration::prompt
