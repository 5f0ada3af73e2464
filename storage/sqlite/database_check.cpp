#include "storage/sqlite/database_check.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "storage/sqlite/sqlite_database.h"

namespace parley::storage::sqlite {

namespace {

const char* statement_of(Check check) {
  switch (check) {
    case Check::schema:
      return "SELECT 'ok' WHERE (SELECT count(*) FROM sqlite_schema) >= 0";
    case Check::quick:
      return "PRAGMA quick_check(1)";
    case Check::whole:
      break;
  }
  return "PRAGMA integrity_check(1)";
}

}  // namespace

// Works on result codes: damage is what the caller wants to know, anything else is an error.
std::optional<std::string> find_damage(sqlite3* database, Check check) {
  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v2(database, statement_of(check), -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement(raw);
  if (code == SQLITE_OK) code = sqlite3_step(raw);
  if (is_damage(code)) return sqlite3_errmsg(database);
  if (code != SQLITE_ROW) throw_store_error(database, code);
  const auto* verdict = reinterpret_cast<const char*>(sqlite3_column_text(raw, 0));
  if (verdict == nullptr) throw_store_error(database, SQLITE_NOMEM);
  if (std::string_view(verdict) == "ok") return std::nullopt;
  std::string words = verdict;
  std::replace(words.begin(), words.end(), '\n', ' ');
  return words;
}

bool rebuild_indexes(sqlite3* database) {
  return sqlite3_exec(database, "REINDEX", nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace parley::storage::sqlite
