#include "inference/formats/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace parley::inference::formats {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
  throw std::runtime_error(path.string() + ": " + what + ": " + std::generic_category().message(error));
}

struct stat regular_file_status(const std::filesystem::path& path, int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail(path, "cannot read its size", errno);
  if (!S_ISREG(status.st_mode)) throw std::runtime_error(path.string() + ": not a regular file");
  return status;
}

std::int64_t modification_time(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

}  // namespace

// Delegates, so that the destructor cleans up when this throws.
MappedFile::MappedFile(const std::filesystem::path& path) : MappedFile() {
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) fail(path, "cannot open", errno);
  const struct stat status = regular_file_status(path, descriptor_);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > 0) {  // mmap refuses empty ranges
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (address == MAP_FAILED) fail(path, "cannot map into memory", errno);
    bytes_ = {static_cast<const std::byte*>(address), size};
  }
  modified_ns_ = modification_time(status);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  if (descriptor_ >= 0) ::close(descriptor_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      modified_ns_(other.modified_ns_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(modified_ns_, other.modified_ns_);
  return *this;
}

bool MappedFile::is_unchanged() const {
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 && static_cast<std::size_t>(status.st_size) == bytes_.size() &&
         modification_time(status) == modified_ns_;
}

}  // namespace parley::inference::formats
