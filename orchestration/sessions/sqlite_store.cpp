#include "orchestration/sessions/sqlite_store.h"

#include <algorithm>
#include <utility>

#include "orchestration/sessions/call_table.h"
#include "orchestration/sessions/command_table.h"
#include "orchestration/sessions/message_rows.h"
#include "orchestration/sessions/message_table.h"
#include "orchestration/sessions/session_schema.h"
#include "orchestration/sessions/sqlite.h"
#include "orchestration/sessions/string_list.h"
#include "storage/sqlite/background_check.h"
#include "storage/sqlite/database_file.h"
#include "storage/sqlite/folder_lock.h"

namespace parley::orchestration::sessions {
namespace {

constexpr std::size_t kMaxLimit = std::size_t{1} << 40;  // limits are added to and become 64-bit integers

std::optional<std::string> tools_text(const ChatSettings& settings) {
  return settings.tools ? std::optional(encode_strings(*settings.tools)) : std::nullopt;
}

class SqliteStore : public SessionStore {
 public:
  SqliteStore(storage::sqlite::FolderLock lock, Database database)
      : lock_(std::move(lock)), database_(std::move(database)) {}

  void check_in_background(std::filesystem::path file, std::function<void(const std::string&)> tell) {
    check_.emplace(database_, std::move(file), std::move(tell));
  }

  bool create(const Conversation& conversation, const MaybeCommand& command) override;
  std::optional<Conversation> find(const std::string& id) override;
  ConversationPage list(std::optional<std::pair<UnixMillis, std::string>> before, std::size_t limit) override;
  bool update(const Conversation& conversation, const MaybeCommand& command) override;
  bool add_message(const std::string& conversation, const Message& message,
                   const MaybeCommand& command) override;
  bool add_turn(const std::string& conversation, const std::string& title, const Message& question,
                const Message& answer, const MaybeCommand& command) override;
  std::optional<Message> find_message(const std::string& conversation, const std::string& id) override;
  bool update_message(const std::string& conversation, const Message& message,
                      const MaybeCommand& command) override;
  void append(const std::string& conversation, const std::string& message, const std::string& text,
              const std::vector<std::int32_t>& token_ids) override;
  bool save_call(const std::string& conversation, const std::string& message, const ToolCall& call,
                 const MaybeCommand& command) override;
  std::optional<OutputPiece> read_output(const std::string& conversation, const std::string& call,
                                         std::size_t offset, std::size_t max_bytes) override {
    return calls_.read_output(conversation, call, offset, max_bytes);
  }
  std::optional<calls::CallImage> read_image(const std::string& call, std::size_t number) override {
    return calls_.read_image(call, number);
  }
  MessagePage path(const std::string& conversation, const std::string& leaf, std::size_t limit) override;
  bool remember(const AppliedCommand& command) override;
  std::optional<AppliedCommand> find_command(const std::string& id) override;
  std::size_t mark_interrupted() override;

 private:
  bool insert_as_leaf(const std::string& conversation, const Message& message);
  bool is_new(const MaybeCommand& command) { return !command || commands_.insert(*command); }

  storage::sqlite::FolderLock lock_;  // let go of last
  Database database_;
  CallTable calls_{database_};
  MessageTable messages_{database_, calls_};
  CommandTable commands_{database_};
  Statement create_{database_,
                    "INSERT INTO conversations(" + std::string(kConversationColumns) +
                        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT(id) DO NOTHING"};
  Statement find_{database_,
                  "SELECT " + std::string(kConversationColumns) + " FROM conversations WHERE id = ?1"};
  Statement list_{database_, "SELECT " + std::string(kConversationColumns) +
                                 " FROM conversations WHERE deleted = 0 AND (updated_at, id) < (?1, ?2)"
                                 " ORDER BY updated_at DESC, id DESC LIMIT ?3"};
  Statement update_{
      database_,
      "UPDATE conversations SET title = ?2, system_prompt = ?3, temperature = ?4, max_tokens = ?5, "
      "active_leaf = ?6, updated_at = ?7, deleted = ?8, tools = ?9 WHERE id = ?1"};
  Statement entitle_{database_, "UPDATE conversations SET title = ?2 WHERE id = ?1"};
  Statement touch_{
      database_, "UPDATE conversations SET active_leaf = ?2, updated_at = max(updated_at, ?3) WHERE id = ?1"};
  std::optional<storage::sqlite::BackgroundCheck> check_;  // ends before the database is closed
};

bool SqliteStore::create(const Conversation& c, const MaybeCommand& command) {
  Transaction transaction(database_);
  if (!is_new(command)) return false;
  Query(create_, c.id, c.title, c.settings.system_prompt, c.settings.temperature, c.settings.max_tokens,
        c.active_leaf, c.created_at, c.updated_at, c.deleted, tools_text(c.settings))
      .run();
  if (database_.changes() != 1) return false;
  transaction.commit();
  return true;
}

std::optional<Conversation> SqliteStore::find(const std::string& id) {
  Query query(find_, id);
  if (!query.next()) return std::nullopt;
  return read_conversation(query);
}

ConversationPage SqliteStore::list(std::optional<std::pair<UnixMillis, std::string>> before,
                                   std::size_t limit) {
  limit = std::min(limit, kMaxLimit);
  const auto from = before.value_or(std::pair<UnixMillis, std::string>(INT64_MAX, ""));
  Query query(list_, from.first, from.second, static_cast<std::int64_t>(limit + 1));
  ConversationPage page;
  while (query.next()) page.items.push_back(read_conversation(query));
  page.more = page.items.size() > limit;
  if (page.more) page.items.pop_back();
  return page;
}

bool SqliteStore::update(const Conversation& c, const MaybeCommand& command) {
  Transaction transaction(database_);
  if (!is_new(command)) return false;
  Query(update_, c.id, c.title, c.settings.system_prompt, c.settings.temperature, c.settings.max_tokens,
        c.active_leaf, c.updated_at, c.deleted, tools_text(c.settings))
      .run();
  if (database_.changes() != 1) return false;
  transaction.commit();
  return true;
}

bool SqliteStore::insert_as_leaf(const std::string& conversation, const Message& message) {
  if (!messages_.insert(conversation, message)) return false;
  Query(touch_, conversation, message.id, message.created_at).run();
  return true;
}

bool SqliteStore::add_message(const std::string& conversation, const Message& message,
                              const MaybeCommand& command) {
  Transaction transaction(database_);
  if (!is_new(command) || !insert_as_leaf(conversation, message)) return false;
  transaction.commit();
  return true;
}

bool SqliteStore::add_turn(const std::string& conversation, const std::string& title, const Message& question,
                           const Message& answer, const MaybeCommand& command) {
  Transaction transaction(database_);
  if (!is_new(command)) return false;
  if (!insert_as_leaf(conversation, question) || !insert_as_leaf(conversation, answer)) return false;
  Query(entitle_, conversation, title).run();
  transaction.commit();
  return true;
}

std::optional<Message> SqliteStore::find_message(const std::string& conversation, const std::string& id) {
  return messages_.find(conversation, id);
}

bool SqliteStore::update_message(const std::string& conversation, const Message& message,
                                 const MaybeCommand& command) {
  Transaction transaction(database_);
  if (!is_new(command)) return false;
  messages_.replace(conversation, message);
  transaction.commit();
  return true;
}

void SqliteStore::append(const std::string& conversation, const std::string& message, const std::string& text,
                         const std::vector<std::int32_t>& token_ids) {
  messages_.append(conversation, message, text, token_ids);
}

bool SqliteStore::save_call(const std::string& conversation, const std::string& message, const ToolCall& call,
                            const MaybeCommand& command) {
  Transaction transaction(database_);
  if (!is_new(command)) return false;
  calls_.save(conversation, message, call);
  transaction.commit();
  return true;
}

MessagePage SqliteStore::path(const std::string& conversation, const std::string& leaf, std::size_t limit) {
  limit = std::min(limit, kMaxLimit);
  MessagePage page;
  page.items = messages_.climb(conversation, leaf, static_cast<std::int64_t>(limit + 1));
  page.more = page.items.size() > limit;
  if (page.more) page.items.pop_back();
  std::reverse(page.items.begin(), page.items.end());
  return page;
}

bool SqliteStore::remember(const AppliedCommand& command) {
  Transaction transaction(database_);
  if (!commands_.insert(command)) return false;
  transaction.commit();
  return true;
}

std::optional<AppliedCommand> SqliteStore::find_command(const std::string& id) { return commands_.find(id); }

std::size_t SqliteStore::mark_interrupted() {
  Transaction transaction(database_);
  calls_.mark_interrupted();
  const std::size_t count = messages_.mark_interrupted();
  transaction.commit();
  return count;
}

}  // namespace

std::unique_ptr<SessionStore> open_sqlite_store(const std::filesystem::path& data_dir, StoreReport& report,
                                                const StoreOptions& options) {
  storage::sqlite::FolderLock lock(data_dir);
  const std::filesystem::path file = data_dir / "parley.db";
  storage::sqlite::OpenedFile opened =
      storage::sqlite::open_database_file(file, session_schema(), options, report);
  auto store = std::make_unique<SqliteStore>(std::move(lock), std::move(opened.database));
  if (!opened.is_checked) store->check_in_background(file, options.tell);
  report.interrupted_answers = store->mark_interrupted();
  return store;
}

}  // namespace parley::orchestration::sessions
