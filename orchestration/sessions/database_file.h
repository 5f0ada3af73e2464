#pragma once
// The file DIR/parley.db: opened, checked, brought up to date; set aside when it is damaged. Store thread.

#include <filesystem>

#include "orchestration/sessions/sqlite_database.h"
#include "orchestration/sessions/sqlite_store.h"

namespace parley::orchestration::sessions {

struct OpenedFile {
  Database database;
  bool is_checked = true;  // else BackgroundCheck has to
};

// A healthy database of today's schema in WAL mode, every commit flushed to the disk. This connection is the
// only one: others are locked out, because SQLite before 3.51.3 can lose commits when a second connection
// checkpoints. If the file is damaged it is renamed to parley.db.corrupt-<time>, with its -wal and -shm, a
// new one is begun; if only its indexes are, they are made anew. If only its log is damaged, file and log are
// copied to parley.db.damaged-log-<time> before SQLite drops what it cannot read. `report` gets the copies'
// paths. Throws StoreError when the file cannot be opened or copied, or is not Parley's.
OpenedFile open_database_file(const std::filesystem::path& file, const StoreOptions& options,
                              StoreReport& report);

}  // namespace parley::orchestration::sessions
