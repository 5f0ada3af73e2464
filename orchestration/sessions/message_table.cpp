#include "orchestration/sessions/message_table.h"

#include "orchestration/sessions/message_rows.h"
#include "orchestration/sessions/session_store.h"
#include "orchestration/sessions/token_id_bytes.h"

namespace parley::orchestration::sessions {
namespace {

std::string select_messages(const std::string& rest) {
  return "SELECT " + std::string(kMessageColumns) + " FROM " + rest;
}

// A parent is always older than its children (m.key < up.key), which ends the climb in a damaged tree too.
constexpr const char* kClimb = R"sql(
(WITH RECURSIVE up(key, parent, depth) AS (
   SELECT key, parent, 0 FROM messages WHERE conversation = ?1 AND id = ?2
   UNION ALL
   SELECT m.key, m.parent, up.depth + 1 FROM up JOIN messages m
     ON m.conversation = ?1 AND m.id = up.parent AND m.key < up.key
   WHERE up.depth + 1 < ?3)
 SELECT depth, m.* FROM up JOIN messages m ON m.key = up.key)
ORDER BY depth
)sql";

[[noreturn]] void fail_unknown(const std::string& id) {
  throw StoreError("Message " + id + " does not exist in the database.");
}

}  // namespace

MessageTable::MessageTable(Database& database, CallTable& calls)
    : database_(database),
      calls_(calls),
      insert_(
          database,
          "INSERT INTO messages(conversation, " + std::string(kMessageColumns) +
              ") VALUES (?1, ?2, nullif(?3, ''), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
              "?17, ?18, ?19, ?20) ON CONFLICT(id) DO NOTHING"),
      find_(database, select_messages("messages WHERE conversation = ?1 AND id = ?2")),
      replace_(database,
               "UPDATE messages SET text = ?3, token_ids = ?4, status = ?5, error = ?6, stop_reason = ?7, "
               "model = ?8, epoch = ?9, left_out_turns = ?10, prompt_tokens = ?11, cached_tokens = ?12, "
               "completion_tokens = ?13, first_token_ms = ?14, total_ms = ?15, tokens_per_second = ?16, "
               "reasoning_ms = ?17 WHERE conversation = ?1 AND id = ?2"),
      drop_parts_(database,
                  "DELETE FROM answer_parts WHERE message = "
                  "(SELECT key FROM messages WHERE conversation = ?1 AND id = ?2)"),
      append_(database,
              "INSERT INTO answer_parts(message, part, text, token_ids) SELECT key, "
              "(SELECT coalesce(max(part), 0) + 1 FROM answer_parts WHERE message = key), ?3, ?4 "
              "FROM messages WHERE conversation = ?1 AND id = ?2"),
      parts_(database,
             "SELECT p.text, p.token_ids FROM messages m JOIN answer_parts p ON p.message = m.key "
             "WHERE m.id = ?1 ORDER BY p.part"),
      climb_(database, select_messages(kClimb)),
      mark_interrupted_(
          database,
          "UPDATE messages SET status = 'interrupted', epoch = epoch + 1 WHERE status = 'streaming'") {}

bool MessageTable::insert(const std::string& conversation, const Message& m) {
  Query(insert_, conversation, m.id, m.parent, word_of(m.role), m.created_at, m.text,
        Blob{encode_token_ids(m.token_ids)}, word_of(m.status), m.error, m.stop_reason, m.model, m.epoch,
        m.left_out_turns, m.usage.prompt_tokens, m.usage.cached_tokens, m.usage.completion_tokens,
        m.timings.first_token_ms, m.timings.total_ms, m.timings.tokens_per_second, m.timings.reasoning_ms)
      .run();
  if (database_.changes() != 1) return false;
  calls_.replace(conversation, m.id, m.calls);
  return true;
}

void MessageTable::add_parts(Message& message) {
  Query query(parts_, message.id);
  bool readable = true;
  while (query.next()) {
    message.text += query.text(0);
    readable = decode_token_ids(query.blob(1), message.token_ids) && readable;
  }
  if (!readable) message.token_ids.clear();  // the text has all that matters
}

void MessageTable::add_rest(Message& message) {
  add_parts(message);
  if (message.role == Role::assistant) message.calls = calls_.read(message.id);
}

std::optional<Message> MessageTable::find(const std::string& conversation, const std::string& id) {
  Query query(find_, conversation, id);
  if (!query.next()) return std::nullopt;
  Message message = read_message(query);
  add_rest(message);
  return message;
}

void MessageTable::replace(const std::string& conversation, const Message& m) {
  Query(drop_parts_, conversation, m.id).run();
  Query(replace_, conversation, m.id, m.text, Blob{encode_token_ids(m.token_ids)}, word_of(m.status), m.error,
        m.stop_reason, m.model, m.epoch, m.left_out_turns, m.usage.prompt_tokens, m.usage.cached_tokens,
        m.usage.completion_tokens, m.timings.first_token_ms, m.timings.total_ms, m.timings.tokens_per_second,
        m.timings.reasoning_ms)
      .run();
  if (database_.changes() != 1) fail_unknown(m.id);
  calls_.replace(conversation, m.id, m.calls);
}

void MessageTable::append(const std::string& conversation, const std::string& id, const std::string& text,
                          const std::vector<std::int32_t>& token_ids) {
  Query(append_, conversation, id, text, Blob{encode_token_ids(token_ids)}).run();
  if (database_.changes() != 1) fail_unknown(id);
}

std::vector<Message> MessageTable::climb(const std::string& conversation, const std::string& leaf,
                                         std::int64_t limit) {
  std::vector<Message> messages;
  Query query(climb_, conversation, leaf, limit);
  while (query.next()) {
    messages.push_back(read_message(query));
    add_rest(messages.back());
  }
  return messages;
}

std::size_t MessageTable::mark_interrupted() {
  Query(mark_interrupted_).run();
  return static_cast<std::size_t>(database_.changes());
}

}  // namespace parley::orchestration::sessions
