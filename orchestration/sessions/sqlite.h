#pragma once
// SQLite as the sources of this folder name it.

#include "storage/sqlite/sqlite_database.h"

namespace parley::orchestration::sessions {

using storage::sqlite::Blob;
using storage::sqlite::Database;
using storage::sqlite::Query;
using storage::sqlite::Statement;
using storage::sqlite::Transaction;

}  // namespace parley::orchestration::sessions
