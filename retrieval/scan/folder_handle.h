#pragma once
// An open folder. Move-only; what it opens is never reached through a symbolic link. One thread at a time.

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/scan/file_stamp.h"

namespace parley::retrieval::scan {

class FolderHandle {
 public:
  struct Entry {
    std::string name;
    unsigned char type = 0;  // DT_REG, DT_DIR, …; DT_UNKNOWN where the file system does not tell
  };

  FolderHandle() = default;
  ~FolderHandle() { close(); }
  FolderHandle(FolderHandle&& other) noexcept;
  FolderHandle& operator=(FolderHandle&& other) noexcept;

  // Handles that are not open keep errno of what failed.
  static FolderHandle open_root(const std::filesystem::path& path);  // the root itself may be a link
  FolderHandle open_child(const char* name) const;
  FolderHandle open_parent() const;

  bool is_open() const { return descriptor_ >= 0; }
  int error() const { return error_; }
  int descriptor() const { return descriptor_; }
  void close();

  // None on failure, whose errno is put into `error`. In the order of names.
  std::optional<std::vector<Entry>> list(int& error) const;
  std::optional<struct stat> stat_child(const char* name) const;  // of a link: its own
  std::optional<struct stat> stat_self() const;
  // The content of a small regular file; none where there is none, or it is longer than `limit`.
  std::optional<std::string> read_child(const char* name, std::size_t limit) const;

 private:
  static FolderHandle opened(int descriptor);
  int descriptor_ = -1;
  int error_ = 0;
};

FileStamp stamp_of(const struct stat& status);
bool is_same_file(const struct stat& a, const struct stat& b);

}  // namespace parley::retrieval::scan
