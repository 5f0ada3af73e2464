#include "orchestration/sessions/session_schema.h"

#include <array>
#include <cstdint>

namespace parley::orchestration::sessions {
namespace {

constexpr std::int64_t kApplicationId = 0x5041524c;  // "PARL"

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

}  // namespace

storage::sqlite::Schema session_schema() { return {kApplicationId, kSteps}; }

}  // namespace parley::orchestration::sessions
