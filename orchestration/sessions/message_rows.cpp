#include "orchestration/sessions/message_rows.h"

#include <array>
#include <cstddef>

#include "orchestration/sessions/string_list.h"
#include "orchestration/sessions/token_id_bytes.h"

namespace parley::orchestration::sessions {
namespace {

// Indexed by the enumerations. Words, not numbers, are stored: the database outlives the order of an
// enumeration.
constexpr std::array<std::string_view, 3> kRoles = {"system", "user", "assistant"};
constexpr std::array<std::string_view, 5> kStatuses = {"complete", "streaming", "stopped", "interrupted",
                                                       "failed"};
static_assert(static_cast<int>(Role::assistant) == 2 && static_cast<int>(MessageStatus::failed) == 4);

template <typename Enum, std::size_t N>
std::optional<Enum> parse_word(const std::array<std::string_view, N>& words, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

void mark_damaged(Message& message, const std::string& what, const std::string& word) {
  message.status = MessageStatus::failed;
  message.error = "This message has the unknown " + what + " '" + word +
                  "' in the database, which was damaged or changed by another program.";
}

template <typename T>
std::optional<T> read_optional(const Query& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  if constexpr (std::is_same_v<T, double>) {
    return row.real(column);
  } else {
    return static_cast<T>(row.integer(column));
  }
}

}  // namespace

std::string_view word_of(Role role) { return kRoles.at(static_cast<std::size_t>(role)); }
std::string_view word_of(MessageStatus status) { return kStatuses.at(static_cast<std::size_t>(status)); }

Conversation read_conversation(const Query& row) {
  int column = 0;
  Conversation conversation;
  conversation.id = row.text(column++);
  conversation.title = row.text(column++);
  conversation.settings.system_prompt = row.text(column++);
  conversation.settings.temperature = read_optional<double>(row, column++);
  conversation.settings.max_tokens = read_optional<int>(row, column++);
  conversation.active_leaf = row.text(column++);
  conversation.created_at = row.integer(column++);
  conversation.updated_at = row.integer(column++);
  conversation.deleted = row.integer(column++) != 0;
  if (!row.is_null(column)) conversation.settings.tools = decode_strings(row.text(column));
  return conversation;
}

Message read_message(const Query& row) {
  int column = 0;
  Message message;
  message.id = row.text(column++);
  message.parent = row.text(column++);
  const std::string role = row.text(column++);
  message.created_at = row.integer(column++);
  message.text = row.text(column++);
  if (!decode_token_ids(row.blob(column++), message.token_ids)) message.token_ids.clear();
  const std::string status = row.text(column++);
  message.error = row.text(column++);
  message.stop_reason = row.text(column++);
  message.model = row.text(column++);
  message.epoch = row.integer(column++);
  message.left_out_turns = static_cast<int>(row.integer(column++));
  message.usage.prompt_tokens = static_cast<int>(row.integer(column++));
  message.usage.cached_tokens = static_cast<int>(row.integer(column++));
  message.usage.completion_tokens = static_cast<int>(row.integer(column++));
  message.timings.first_token_ms = row.real(column++);
  message.timings.total_ms = row.real(column++);
  message.timings.tokens_per_second = row.real(column++);
  message.timings.reasoning_ms = row.real(column);
  const auto known_role = parse_word<Role>(kRoles, role);
  const auto known_status = parse_word<MessageStatus>(kStatuses, status);
  message.role = known_role.value_or(Role::assistant);
  message.status = known_status.value_or(MessageStatus::failed);
  if (!known_status) mark_damaged(message, "status", status);
  if (!known_role) mark_damaged(message, "role", role);
  return message;
}

}  // namespace parley::orchestration::sessions
