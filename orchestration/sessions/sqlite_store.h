#pragma once
// The store on disk. The store thread's, but for the lines that a check tells.

#include <filesystem>
#include <memory>

#include "orchestration/sessions/session_store.h"
#include "storage/sqlite/database_file.h"

namespace parley::orchestration::sessions {

using StoreOptions = storage::sqlite::OpenOptions;

// What opening found; for the log.
struct StoreReport : storage::sqlite::OpenReport {
  std::size_t interrupted_answers = 0;
};

// Opens DIR/parley.db, migrates it, and takes the folder's lock (StoreError "… is in use by process N").
std::unique_ptr<SessionStore> open_sqlite_store(const std::filesystem::path& data_dir, StoreReport& report,
                                                const StoreOptions& options = {});

}  // namespace parley::orchestration::sessions
