#pragma once
// The data folder belongs to one process: an exclusive lock on DIR/parley.lock, which holds that process's
// number. The kernel drops it however the process ends. Move-only; the destructor unlocks. Any one thread at
// a time.

#include <filesystem>

namespace parley::storage::sqlite {

class FolderLock {
 public:
  // Makes the folder if it is missing. Throws StoreError: in use by another process, or not writable.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  FolderLock() = default;

  int descriptor_ = -1;
};

}  // namespace parley::storage::sqlite
