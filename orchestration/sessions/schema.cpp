#include "orchestration/sessions/schema.h"

#include <array>
#include <cstdint>

#include "orchestration/sessions/session_store.h"

namespace parley::orchestration::sessions {
namespace {

constexpr std::int64_t kApplicationId = 0x5041524c;  // "PARL"

// Step i makes version i + 1. A step that was released is never changed.
//
// Text and ids of an answer that is being generated grow as answer_parts, so that a growing answer is never
// written again as a whole; they are joined into its message when it ends.
//
// Outputs and images of calls lie apart from the calls, which are read with every page of messages.
constexpr std::array<const char*, 4> kSteps = {
    R"sql(
CREATE TABLE conversations(
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  system_prompt TEXT NOT NULL,
  temperature REAL,
  max_tokens INTEGER,
  active_leaf TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_update ON conversations(updated_at, id) WHERE deleted = 0;

CREATE TABLE messages(
  key INTEGER PRIMARY KEY,
  conversation TEXT NOT NULL REFERENCES conversations(id),
  id TEXT NOT NULL UNIQUE,
  parent TEXT,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  token_ids BLOB NOT NULL,
  status TEXT NOT NULL,
  error TEXT NOT NULL,
  stop_reason TEXT NOT NULL,
  model TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  left_out_turns INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  first_token_ms REAL NOT NULL,
  total_ms REAL NOT NULL,
  tokens_per_second REAL NOT NULL,
  UNIQUE(conversation, id),
  FOREIGN KEY(conversation, parent) REFERENCES messages(conversation, id)
) STRICT;
CREATE INDEX messages_by_parent ON messages(conversation, parent);
CREATE INDEX messages_streaming ON messages(status) WHERE status = 'streaming';

CREATE TABLE answer_parts(
  message INTEGER NOT NULL REFERENCES messages(key),
  part INTEGER NOT NULL,
  text TEXT NOT NULL,
  token_ids BLOB NOT NULL,
  PRIMARY KEY(message, part)
) STRICT, WITHOUT ROWID;
)sql",
    R"sql(
CREATE TABLE commands(
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  content_hash INTEGER NOT NULL,
  message TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;
CREATE INDEX commands_by_time ON commands(applied_at);
)sql",
    R"sql(
ALTER TABLE conversations ADD COLUMN tools TEXT;

CREATE TABLE calls(
  key INTEGER PRIMARY KEY,
  message INTEGER NOT NULL REFERENCES messages(key),
  position INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  arguments TEXT NOT NULL,
  source TEXT NOT NULL,
  definition TEXT NOT NULL,
  state TEXT NOT NULL,
  preview_kind TEXT NOT NULL,
  preview_words TEXT NOT NULL,
  preview_input TEXT NOT NULL,
  result TEXT NOT NULL,
  decision TEXT NOT NULL,
  elapsed_ms REAL NOT NULL
) STRICT;
CREATE INDEX calls_by_message ON calls(message, position);
CREATE INDEX calls_unfinished ON calls(state) WHERE state IN ('writing', 'running');

CREATE TABLE call_outputs(
  call INTEGER PRIMARY KEY REFERENCES calls(key) ON DELETE CASCADE,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE call_images(
  call INTEGER NOT NULL REFERENCES calls(key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY(call, position)
) STRICT;
)sql",
    R"sql(
ALTER TABLE messages ADD COLUMN reasoning_ms REAL NOT NULL DEFAULT 0;
)sql"};

constexpr auto kVersion = static_cast<std::int64_t>(kSteps.size());

void refuse_foreign(Database& database, std::int64_t version) {
  const std::string file = database.text("SELECT file FROM pragma_database_list WHERE name = 'main'");
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  const bool ours = database.integer("PRAGMA application_id") == kApplicationId;
  if (!ours && !(empty && version == 0)) {
    throw StoreError(file + " is not a Parley database. Move it away, or choose another --data folder.");
  }
  if (version > kVersion) {
    throw StoreError(file + " was written by a newer Parley (schema " + std::to_string(version) +
                     ", this one knows " + std::to_string(kVersion) +
                     "). Update Parley, or choose another --data folder.");
  }
}

void apply_step(Database& database, std::int64_t version) {
  Transaction transaction(database);
  database.execute(kSteps[static_cast<std::size_t>(version)]);
  const std::string mark = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                           "; PRAGMA user_version = " + std::to_string(version + 1);
  database.execute(mark.c_str());
  transaction.commit();
}

}  // namespace

void migrate(Database& database) {
  std::int64_t version = database.integer("PRAGMA user_version");
  refuse_foreign(database, version);
  for (; version < kVersion; ++version) apply_step(database, version);
}

std::optional<std::string> find_missing_tables(Database& database) {
  Database model{std::filesystem::path()};
  migrate(model);
  Statement wanted(model, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  Statement present(database, "SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql = ?2");
  Query want(wanted);
  while (want.next()) {
    const std::string name = want.text(0);
    Query found(present, name, want.text(1));
    if (!found.next()) return "table or index " + name + " is missing or changed";
  }
  return std::nullopt;
}

}  // namespace parley::orchestration::sessions
