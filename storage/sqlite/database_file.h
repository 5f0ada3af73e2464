#pragma once
// A database file of the data folder: opened, checked, brought up to date; set aside when it is damaged. The
// thread of the database, but for the lines that a check tells.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "storage/sqlite/schema.h"
#include "storage/sqlite/sqlite_database.h"

namespace parley::storage::sqlite {

struct OpenOptions {
  // A file up to this size is checked before it is opened. A larger one only where the last run was cut off,
  // or had met damage; else the caller may check it while it is used (background_check.h).
  std::uintmax_t checked_before = std::uintmax_t{64} << 20;
  std::function<void(const std::string&)> tell{};  // lines for the operator; any thread; empty: none
};

// What opening found; for the log.
struct OpenReport {
  std::filesystem::path corrupt_copy;  // not empty: the old file was damaged, kept here, and a new one begun
  // Not empty: the log beside the file was damaged, and what stands behind the damage is not in the store;
  // both are kept here as they were (the log with -wal).
  std::filesystem::path damaged_log_copy;
  bool rebuilt_indexes = false;  // they did not fit their tables; nothing is lost
};

struct OpenedFile {
  Database database;
  bool is_checked = true;  // else BackgroundCheck has to
};

// A healthy database of today's schema in WAL mode, every commit flushed to the disk. This connection is the
// only one: others are locked out, because SQLite before 3.51.3 can lose commits when a second connection
// checkpoints. If the file is damaged it is renamed to NAME.corrupt-<time>, with its -wal and -shm, a
// new one is begun; if only its indexes are, they are made anew. If only its log is damaged, file and log are
// copied to NAME.damaged-log-<time> before SQLite drops what it cannot read. `report` gets the copies'
// paths. Throws StoreError when the file cannot be opened or copied, or is not Parley's.
OpenedFile open_database_file(const std::filesystem::path& file, const Schema& schema,
                              const OpenOptions& options, OpenReport& report);

}  // namespace parley::storage::sqlite
