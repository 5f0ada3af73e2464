#pragma once
// The tables of parley.db and how older ones become today's. Store thread.

#include <optional>
#include <string>

#include "orchestration/sessions/sqlite_database.h"

namespace parley::orchestration::sessions {

// Brings a new or older database to today's schema, each step in one transaction.
// Throws StoreError when the file is another program's or a newer Parley's.
void migrate(Database& database);

// What is missing of the tables that this schema version has; none: all there. Of a database that migrate()
// accepts.
std::optional<std::string> find_missing_tables(Database& database);

}  // namespace parley::orchestration::sessions
