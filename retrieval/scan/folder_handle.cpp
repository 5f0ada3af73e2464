#include "retrieval/scan/folder_handle.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace parley::retrieval::scan {
namespace {

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct CloseStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

}  // namespace

FolderHandle::FolderHandle(FolderHandle&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), error_(other.error_) {}

FolderHandle& FolderHandle::operator=(FolderHandle&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    error_ = other.error_;
  }
  return *this;
}

FolderHandle FolderHandle::opened(int descriptor) {
  FolderHandle handle;
  handle.descriptor_ = descriptor;
  handle.error_ = descriptor < 0 ? errno : 0;
  return handle;
}

FolderHandle FolderHandle::open_root(const std::filesystem::path& path) {
  return opened(::open(path.c_str(), kOpenFolder));
}

FolderHandle FolderHandle::open_child(const char* name) const {
  return opened(::openat(descriptor_, name, kOpenFolder | O_NOFOLLOW));
}

FolderHandle FolderHandle::open_parent() const { return opened(::openat(descriptor_, "..", kOpenFolder)); }

void FolderHandle::close() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    descriptor_ = -1;
  }
}

std::optional<std::vector<FolderHandle::Entry>> FolderHandle::list(int& error) const {
  const int own = ::openat(descriptor_, ".", kOpenFolder);  // a stream takes its descriptor over
  const std::unique_ptr<DIR, CloseStream> stream(own < 0 ? nullptr : ::fdopendir(own));
  if (stream == nullptr) {
    error = errno;
    if (own >= 0) {
      ::close(own);
    }
    return std::nullopt;
  }
  std::vector<Entry> entries;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      entries.push_back({.name = std::string(name), .type = entry->d_type});
    }
    errno = 0;
  }
  if (errno != 0) {
    error = errno;
    return std::nullopt;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

std::optional<struct stat> FolderHandle::stat_child(const char* name) const {
  struct stat status {};
  if (::fstatat(descriptor_, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  return status;
}

std::optional<struct stat> FolderHandle::stat_self() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    return std::nullopt;
  }
  return status;
}

std::optional<std::string> FolderHandle::read_child(const char* name, std::size_t limit) const {
  // Not blocking: it may be a pipe without a writer.
  const int file = ::openat(descriptor_, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    return std::nullopt;
  }
  struct stat status {};
  std::string content;
  bool good = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  while (good && content.size() <= limit) {
    char buffer[4096];
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    good = count >= 0;
    if (count <= 0) {
      break;
    }
    content.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(file);
  return good && content.size() <= limit ? std::optional(std::move(content)) : std::nullopt;
}

FileStamp stamp_of(const struct stat& status) {
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .mtime_ns = nanoseconds(status.st_mtim),
          .ctime_ns = nanoseconds(status.st_ctim)};
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace parley::retrieval::scan
