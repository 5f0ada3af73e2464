#include "storage/sqlite/sqlite_database.h"

#include <sqlite3.h>

#include <system_error>

#include "storage/sqlite/store_error.h"
#include "storage/sqlite/suspicion.h"

namespace parley::storage::sqlite {
namespace {

constexpr const char* kNoFile = "The database";

std::string file_name(sqlite3* database) {
  const char* name = database != nullptr ? sqlite3_db_filename(database, "main") : nullptr;
  return name != nullptr && *name != '\0' ? name : kNoFile;
}

std::string sentence(const std::string& file, int code, const std::string& detail) {
  if (code == SQLITE_CONSTRAINT_COMMITHOOK) {
    return file +
           " was moved or deleted while Parley runs, so nothing more can be saved. Put it back, or "
           "restart Parley.";
  }
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "The disk is full, " + file + " could not be written. Free some space and try again.";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return file + " is damaged (" + detail +
             "). Restart Parley: it repairs the file, or sets it aside and begins a new one.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return file + " cannot be opened for writing (" + detail +
             "). Give this user write access to it, or choose another --data folder.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return file + " is in use by another program. Close that program and try again.";
    case SQLITE_IOERR:
      return "Reading or writing " + file + " failed (" + detail + "). Check the disk, then try again.";
    default:
      return file + ": " + detail + ".";
  }
}

// Debian's library allows both by default; neither is needed, and both turn a bad database into code
// execution.
void harden(sqlite3* database) {
  const auto set = [database](int option, int value) {
    const int code = sqlite3_db_config(database, option, value, static_cast<int*>(nullptr));
    if (code != SQLITE_OK) throw_store_error(database, code);
  };
  set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0);
  set(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0);
  set(SQLITE_DBCONFIG_DEFENSIVE, 1);
  set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
}

// Linux lets a process write on into a file that has no name any more: what is committed there is gone with
// it.
int refuse_when_moved(void* database) {
  int moved = 0;
  sqlite3_file_control(static_cast<sqlite3*>(database), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved;
}

}  // namespace

bool is_damage(int code) { return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB; }

void throw_store_error(sqlite3* database, int code) {
  std::string detail = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  const int reason = database != nullptr ? sqlite3_system_errno(database) : 0;
  if ((code & 0xff) == SQLITE_CANTOPEN && reason != 0) {
    detail += ": " + std::generic_category().message(reason);
  }
  const std::string file = file_name(database);
  if (is_damage(code) && file != kNoFile) suspect(file);
  throw StoreError(sentence(file, code, detail));
}

void CloseDatabase::operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }
void FinalizeStatement::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }

Database::Database(const std::filesystem::path& file) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(file.empty() ? ":memory:" : file.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);
  if (raw == nullptr) throw StoreError(sentence(file.string(), code, sqlite3_errstr(code)));
  if (code != SQLITE_OK) throw_store_error(raw, code);
  harden(raw);
  sqlite3_commit_hook(raw, refuse_when_moved, raw);
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw_store_error(handle(), code);
}

std::int64_t Database::integer(const char* sql) {
  Statement statement(*this, sql);
  Query query(statement);
  return query.next() ? query.integer(0) : 0;
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  Query query(statement);
  return query.next() ? query.text(0) : std::string();
}

std::int64_t Database::changes() const { return sqlite3_changes64(handle()); }

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }

Statement::Statement(const Database& database, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  handle_.reset(raw);
  if (code != SQLITE_OK) throw_store_error(database.handle(), code);
}

Query::~Query() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::check(int code) const {
  if (code != SQLITE_OK) throw_store_error(sqlite3_db_handle(statement_), code);
}

bool Query::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw_store_error(sqlite3_db_handle(statement_), code);
}

void Query::run() {
  while (next()) {
  }
}

bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Query::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Query::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes != nullptr ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

std::string_view Query::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes != nullptr ? std::string_view(bytes, static_cast<std::size_t>(size)) : std::string_view();
}

void Query::bind(int index, std::nullopt_t) { check(sqlite3_bind_null(statement_, index)); }
void Query::bind(int index, std::int64_t value) { check(sqlite3_bind_int64(statement_, index, value)); }
void Query::bind(int index, double value) { check(sqlite3_bind_double(statement_, index, value)); }

// SQLITE_STATIC would do within one run, but not for a parameter that is a temporary.
void Query::bind(int index, std::string_view text) {
  const char* bytes = text.data() != nullptr ? text.data() : "";
  check(sqlite3_bind_text64(statement_, index, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Query::bind(int index, Blob blob) {
  const char* bytes = blob.bytes.data() != nullptr ? blob.bytes.data() : "";
  check(sqlite3_bind_blob64(statement_, index, bytes, blob.bytes.size(), SQLITE_TRANSIENT));
}

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  // Nothing can be done about a failure here; SQLite has rolled back by itself after most errors.
  if (database_.in_transaction()) {
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() { database_.execute("COMMIT"); }

}  // namespace parley::storage::sqlite
