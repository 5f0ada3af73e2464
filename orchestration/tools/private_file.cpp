#include "orchestration/tools/private_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "orchestration/sandbox/descriptor.h"
#include "orchestration/tools/last_error.h"

namespace parley::orchestration::tools {
namespace {

std::string cannot_write(const std::filesystem::path& path) {
  return path.string() + " cannot be written (" + last_error_words() + ")";
}

bool write_whole(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void sync_folder(const std::filesystem::path& folder) {
  const sandbox::Descriptor open(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (open.number() >= 0) ::fsync(open.number());
}

}  // namespace

std::optional<std::string> replace_private_file(const std::filesystem::path& path, std::string_view bytes) {
  std::string temporary = path.string() + ".XXXXXX";
  const sandbox::Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));  // mode 0600
  if (file.number() < 0) return cannot_write(path);
  const bool whole = write_whole(file.number(), bytes) && ::fsync(file.number()) == 0 &&
                     std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!whole) {
    std::string problem = cannot_write(path);
    ::unlink(temporary.c_str());
    return problem;
  }
  sync_folder(path.parent_path());
  return std::nullopt;
}

void put_aside_private_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const sandbox::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file.number() < 0 || ::flock(file.number(), LOCK_EX) != 0) return;
  struct stat locked {};
  struct stat named {};
  if (::fstat(file.number(), &locked) != 0 || ::stat(path.c_str(), &named) != 0) return;
  const bool is_large = locked.st_size > 0 && static_cast<std::size_t>(locked.st_size) > max_bytes;
  // Another process may have put it aside while we waited for the lock.
  if (is_large && locked.st_ino == named.st_ino) std::rename(path.c_str(), (path.string() + ".1").c_str());
}

std::optional<std::string> append_private_file(const std::filesystem::path& path, std::string_view bytes) {
  const sandbox::Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.number() < 0 || !write_whole(file.number(), bytes)) return cannot_write(path);
  return std::nullopt;
}

}  // namespace parley::orchestration::tools
