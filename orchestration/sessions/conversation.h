#pragma once
// What is kept of conversations: trees of messages. Plain values, copied between threads; they
// never fail.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestration/calls/call_parts.h"
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
  double reasoning_ms = 0;       // of the reasoning before the answer, as it came
};

enum class CallState : std::uint8_t {
  writing,            // its arguments are being generated
  awaiting_approval,  // also after a restart: it can still be allowed or denied
  running,
  done,         // `result` is the tool's
  failed,       // `result` says why: unknown tool, bad arguments, exit status, time-out
  denied,       // by the user, the rules, or because nobody could be asked
  cancelled,    // by the user while it ran
  interrupted,  // the server ended while it ran; it is never run again
};

// One tool call of an answer, from the first byte of its arguments to its result.
struct ToolCall {
  std::string id;          // UUID
  std::string name;        // as the model wrote it
  std::string arguments;   // JSON text, as the model wrote it
  std::string source;      // ToolSpec::source; empty: unknown tool
  std::string definition;  // ToolSpec::definition_hash of the tool that the preview speaks of
  CallState state = CallState::writing;
  calls::CallPreview preview;            // what it would do, from awaiting_approval on
  std::string result;                    // what the model is given; empty until the call has ended
  std::string output;                    // all of the tool's text, where `result` is only a part of it
  std::size_t output_bytes = 0;          // of it, also where it was left out of this value
  std::vector<calls::CallImage> images;  // shown to the user, not given to the model
  std::string decision;                  // "auto", "once", "chat", "always", "denied"; empty: none yet
  double elapsed_ms = 0;                 // of running
  UnixMillis started_at = 0;             // when it began to run, as long as it does; not stored
};

struct Message {
  std::string
      id;  // UUID; a user message has its command's id, so a retried command is never a second message
  std::string parent;  // empty: a root
  Role role = Role::user;
  std::string text;  // UTF-8
  MessageStatus status = MessageStatus::complete;
  std::string error;                    // with failed: a sentence for the user
  std::string stop_reason;              // "stop", "length", "stopped", "tool_calls"; answers only
  std::string model;                    // name of the model that answered
  std::vector<std::int32_t> token_ids;  // generated ids, answers only
  // Tool calls of an answer, in the order in which they were made. The next answer, which was given their
  // results, is the message below: a turn of several rounds is a chain of answers.
  std::vector<ToolCall> calls;
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
  // Names of the tools that are switched on; absent: the model's profile decides (native: all, else none).
  std::optional<std::vector<std::string>> tools;
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
