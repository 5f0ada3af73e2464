#pragma once
// The SQLite types of storage/ under this folder's names. No state, any thread.

#include "storage/sqlite/sqlite_database.h"
#include "storage/sqlite/store_error.h"

namespace parley::retrieval::index {

using storage::sqlite::Blob;
using storage::sqlite::Database;
using storage::sqlite::Query;
using storage::sqlite::Statement;
using storage::sqlite::StoreError;
using storage::sqlite::Transaction;

}  // namespace parley::retrieval::index
