#include "storage/sqlite/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "storage/sqlite/store_error.h"

namespace parley::storage::sqlite {
namespace {

[[noreturn]] void fail_not_writable(const std::filesystem::path& folder, const std::error_code& error) {
  throw StoreError("Cannot write to the data folder " + folder.string() + " (" + error.message() +
                   "). Give this user write access to it, or choose another --data folder.");
}

[[noreturn]] void fail_not_writable(const std::filesystem::path& folder) {
  fail_not_writable(folder, std::error_code(errno, std::generic_category()));
}

// The number that the owner wrote; empty when it has not come to that yet.
std::string read_owner(int descriptor) {
  std::array<char, 20> buffer{};
  const ssize_t size = ::pread(descriptor, buffer.data(), buffer.size(), 0);
  const std::string_view text(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return std::string(text.substr(0, text.find_first_not_of("0123456789")));
}

[[noreturn]] void fail_in_use(const std::filesystem::path& folder, const std::string& owner) {
  throw StoreError(folder.string() + " is in use by " +
                   (owner.empty() ? "another process" : "process " + owner) +
                   "; stop it or choose another --data folder.");
}

// Conversations are private: what we make is open to its owner only.
void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(folder, error);
  if (!error && made) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  }
  if (error) fail_not_writable(folder, error);
}

int lock_without_waiting(int descriptor) {
  int result = 0;
  do {
    result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result;
}

void write_owner(int descriptor, const std::filesystem::path& folder) {
  const std::string owner = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0) fail_not_writable(folder);
  if (::pwrite(descriptor, owner.data(), owner.size(), 0) < 0) fail_not_writable(folder);
}

}  // namespace

// Delegates, so that the destructor closes the file when something below throws.
FolderLock::FolderLock(const std::filesystem::path& folder) : FolderLock() {
  make_folder(folder);
  const std::filesystem::path file = folder / "parley.lock";
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0) fail_not_writable(folder);
  if (lock_without_waiting(descriptor_) != 0) {
    if (errno == EWOULDBLOCK) fail_in_use(folder, read_owner(descriptor_));
    fail_not_writable(folder);
  }
  write_owner(descriptor_, folder);
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace parley::storage::sqlite
