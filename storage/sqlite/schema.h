#pragma once
// The tables of a database file and how older ones become today's. The thread of the database.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "storage/sqlite/sqlite_database.h"

namespace parley::storage::sqlite {

// Step i makes version i + 1 of version i. A step that was released is never changed.
struct Schema {
  std::int64_t application_id = 0;  // in the file's header: whose it is
  std::span<const char* const> steps;
};

// Brings a new or older database to today's schema, each step in one transaction.
// Throws StoreError when the file is another program's or a newer Parley's.
void migrate(Database& database, const Schema& schema);

// What is missing of the tables that this schema version has; none: all there. Of a database that migrate()
// accepts.
std::optional<std::string> find_missing_tables(Database& database, const Schema& schema);

}  // namespace parley::storage::sqlite
