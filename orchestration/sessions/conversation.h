#pragma once
// What is kept of conversations: trees of messages. Plain values, copied between threads; they
// never fail.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestration/prompt/chat_message.h"

namespace parley::orchestration::sessions {

using prompt::Role;
using UnixMillis = std::int64_t;

enum class MessageStatus : std::uint8_t {
  complete,
  streaming,    // being generated now; found at start-up, it becomes `interrupted`
  stopped,      // by the user
  interrupted,  // the process ended; can be continued
  failed,       // Message::error says why
};

struct Usage {
  int prompt_tokens = 0;
  int cached_tokens = 0;  // of the prompt, not computed
  int completion_tokens = 0;
};

struct Timings {
  double first_token_ms = 0;  // from the command's arrival to the first token
  double total_ms = 0;
  double tokens_per_second = 0;  // of decoding, the first token apart
};

struct Message {
  std::string
      id;  // UUID; a user message has its command's id, so a retried command is never a second message
  std::string parent;  // empty: a root
  Role role = Role::user;
  std::string text;  // UTF-8
  MessageStatus status = MessageStatus::complete;
  std::string error;                    // with failed: a sentence for the user
  std::string stop_reason;              // "stop", "length", "stopped"; answers only
  std::string model;                    // name of the model that answered
  std::vector<std::int32_t> token_ids;  // generated ids, answers only
  Usage usage;
  Timings timings;
  int left_out_turns = 0;  // of the history, to fit the context
  std::int64_t epoch = 0;  // rises when the text is generated anew; offsets of deltas count within an epoch
  UnixMillis created_at = 0;
};

struct ChatSettings {
  std::string system_prompt;
  std::optional<double> temperature;  // absent: the server's default
  std::optional<int> max_tokens;      // absent: up to the context's end
};

struct Conversation {
  std::string id;  // UUID
  std::string title;
  ChatSettings settings;
  std::string active_leaf;  // last message of the branch shown; empty: no message yet
  UnixMillis created_at = 0;
  UnixMillis updated_at = 0;
  bool deleted = false;  // soft; can be restored
};

}  // namespace parley::orchestration::sessions
