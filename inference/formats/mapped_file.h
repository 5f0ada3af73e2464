#pragma once
// A whole file mapped read-only. Move-only, immutable, any thread.
// The constructor throws std::runtime_error that names the file. A file that another program shortens while
// it is mapped ends the process with SIGBUS on the next read: model files must not be edited in place.

#include <cstddef>
#include <filesystem>
#include <span>

namespace parley::inference::formats {

class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace parley::inference::formats
