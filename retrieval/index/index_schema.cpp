#include "retrieval/index/index_schema.h"

#include <array>
#include <cstdint>

namespace parley::retrieval::index {
namespace {

constexpr std::int64_t kApplicationId = 0x50415244;  // "PARD"

// Which passages answer is said by one row: those of a file are first_passage .. first_passage + num_passages
// - 1 (ids ascend and are never used twice). So a new generation takes the old one's place when that row
// changes, and a removed file's passages are gone with its row; what they leave behind is in `gone` until it
// is cleaned up.
//
// passage_terms holds no text of its own: it can be had again from passages and texts. FTS5 of SQLite 3.40
// deletes from such a table when it is told what was in it.
//   headings, words: words in order, Chinese, Japanese and the like as pairs of characters (text_units.h)
//   parts: of the identifiers in both
//   forms: the words as they are, each with "_" behind it, which keeps the stemmer off: whoever asks for
//     "hashes" is answered by "hash", too, but better by "hashes"
//   scope: "c" and the number of the collection
constexpr std::array<const char*, 1> kSteps = {
    R"sql(
CREATE TABLE collections(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  root BLOB NOT NULL,
  include BLOB NOT NULL,
  exclude BLOB NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX collections_by_name ON collections(name) WHERE removed = 0;

CREATE TABLE files(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collections(id),
  path BLOB NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  content BLOB,
  reader_version INTEGER NOT NULL,
  state TEXT NOT NULL,
  settled_state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  retry_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  title TEXT NOT NULL,
  media_type TEXT NOT NULL,
  first_passage INTEGER NOT NULL,
  num_passages INTEGER NOT NULL,
  text INTEGER,
  UNIQUE(collection, path)
) STRICT;
CREATE INDEX files_queued ON files(size > 1048576, mtime_ns DESC, id) WHERE state = 'queued';
CREATE INDEX files_by_state ON files(collection, state, num_passages, size);

CREATE TABLE texts(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE text_blocks(
  text INTEGER NOT NULL REFERENCES texts(id),
  block INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY(text, block)
) STRICT;

CREATE TABLE passages(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL,
  text_hash BLOB NOT NULL,
  first_byte INTEGER NOT NULL,
  end_byte INTEGER NOT NULL,
  line INTEGER NOT NULL,
  page INTEGER NOT NULL,
  page_name TEXT NOT NULL,
  box_left REAL NOT NULL,
  box_top REAL NOT NULL,
  box_right REAL NOT NULL,
  box_bottom REAL NOT NULL,
  tokens INTEGER NOT NULL,
  headings BLOB NOT NULL,
  text TEXT
) STRICT;
CREATE INDEX passages_by_text ON passages(text_hash);

CREATE VIRTUAL TABLE passage_terms USING fts5(headings, words, parts, forms, scope, content = '',
  tokenize = "porter unicode61 remove_diacritics 2 tokenchars '_'");

CREATE TABLE gone(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL,
  first_passage INTEGER NOT NULL,
  last_passage INTEGER NOT NULL,
  next_passage INTEGER NOT NULL,
  text INTEGER
) STRICT;

CREATE TABLE models(
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE vectors(
  model INTEGER NOT NULL REFERENCES models(id),
  text_hash BLOB NOT NULL,
  halves BLOB NOT NULL,
  PRIMARY KEY(model, text_hash)
) STRICT;
CREATE INDEX vectors_by_text ON vectors(text_hash);
CREATE TABLE loose_texts(
  text_hash BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
)sql"};

}  // namespace

storage::sqlite::Schema index_schema() { return {kApplicationId, kSteps}; }

}  // namespace parley::retrieval::index
