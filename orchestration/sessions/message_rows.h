#pragma once
// Conversations and messages to and from rows. Store thread. A row that no Parley wrote is read as far as it
// can be: one message must never keep a conversation, or the server, from opening.

#include <string_view>

#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/sqlite.h"

namespace parley::orchestration::sessions {

std::string_view word_of(Role role);
std::string_view word_of(MessageStatus status);

// Columns of read_conversation, in its order.
inline constexpr std::string_view kConversationColumns =
    "id, title, system_prompt, temperature, max_tokens, active_leaf, created_at, updated_at, deleted, "
    "tools";
Conversation read_conversation(const Query& row);

// Columns of read_message, in its order. A message whose role or status is unknown comes as a failed answer
// that says so; token ids that are unreadable come as none (they only save computing).
inline constexpr std::string_view kMessageColumns =
    "id, parent, role, created_at, text, token_ids, status, error, stop_reason, model, epoch, "
    "left_out_turns, "
    "prompt_tokens, cached_tokens, completion_tokens, first_token_ms, total_ms, tokens_per_second, "
    "reasoning_ms";
Message read_message(const Query& row);

}  // namespace parley::orchestration::sessions
