#pragma once
// The store on disk. The store thread's, but for the lines that a check tells.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "orchestration/sessions/session_store.h"

namespace parley::orchestration::sessions {

struct StoreOptions {
  // A file up to this size is checked before it is opened. A larger one behind that, while it is used; before
  // it only where the last run was cut off, or had met damage.
  std::uintmax_t checked_before = std::uintmax_t{64} << 20;
  std::function<void(const std::string&)> tell{};  // lines for the operator; any thread; empty: none
};

// What opening found; for the log.
struct StoreReport {
  std::filesystem::path corrupt_copy;  // not empty: the old file was damaged, kept here, and a new one begun
  // Not empty: the log beside the file was damaged, and what stands behind the damage is not in the store;
  // both are kept here as they were (the log with -wal).
  std::filesystem::path damaged_log_copy;
  bool rebuilt_indexes = false;  // they did not fit their tables; nothing is lost
  std::size_t interrupted_answers = 0;
};

// Opens DIR/parley.db, migrates it, and takes the folder's lock (StoreError "… is in use by process N").
std::unique_ptr<SessionStore> open_sqlite_store(const std::filesystem::path& data_dir, StoreReport& report,
                                                const StoreOptions& options = {});

}  // namespace parley::orchestration::sessions
