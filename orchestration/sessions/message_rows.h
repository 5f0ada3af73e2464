#pragma once
// Conversations and messages to and from rows. Store thread. Throws StoreError for a row that no Parley
// wrote.

#include <string>
#include <string_view>

#include "orchestration/sessions/conversation.h"
#include "orchestration/sessions/sqlite_database.h"

namespace parley::orchestration::sessions {

std::string_view word_of(Role role);
std::string_view word_of(MessageStatus status);

// Columns of read_conversation, in its order.
inline constexpr std::string_view kConversationColumns =
    "id, title, system_prompt, temperature, max_tokens, active_leaf, created_at, updated_at, deleted";
Conversation read_conversation(const Query& row);

// Columns of read_message, in its order.
inline constexpr std::string_view kMessageColumns =
    "id, parent, role, created_at, text, token_ids, status, error, stop_reason, model, epoch, "
    "left_out_turns, "
    "prompt_tokens, cached_tokens, completion_tokens, first_token_ms, total_ms, tokens_per_second";
Message read_message(const Query& row);

// Appends ids of a token_ids column.
void read_token_ids(std::string_view bytes, Message& message);

}  // namespace parley::orchestration::sessions
