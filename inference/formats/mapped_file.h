#pragma once
// A whole file mapped read-only. Move-only, immutable, any thread.
// The constructor throws std::runtime_error that names the file.
//
// A limit of mappings: while another program writes into the file in place, reads return what it writes, and
// a read behind the end of a file that was shortened ends the process with SIGBUS. Whoever maps a file copies
// what is needed, asks is_unchanged(), and lets go of the mapping; only the time between is at risk.
// Replacing the file (a rename, as downloads do) is always safe: the mapping keeps the old one.

#include <cstddef>
#include <cstdint>
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

  // False when the mapped file was written to or resized since it was opened, so that bytes() may be a
  // mixture.
  bool is_unchanged() const;

 private:
  MappedFile() = default;

  std::span<const std::byte> bytes_;
  int descriptor_ = -1;
  std::int64_t modified_ns_ = 0;  // time of the last change when it was opened
};

}  // namespace parley::inference::formats
