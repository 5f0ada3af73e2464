#pragma once
// Reads the operator's files: those that decide what this machine runs, which only their owner may be able to
// change, and those that secrets are taken from. Never waits for a named pipe's writer, never reads more than
// it is allowed to. Blocks; any thread. What is wrong is a sentence with what to do.

#include <cstddef>
#include <filesystem>
#include <string>

namespace parley::orchestration::tools {

struct TrustedFile {
  std::string bytes;
  std::string problem;  // not empty: nothing was read
};

// Refuses what is no regular file, is larger than max_bytes, may be written by its group or by others, or
// belongs to somebody else than this user or root.
TrustedFile read_trusted_file(const std::filesystem::path& path, std::size_t max_bytes);

// Whoever owns it. Refuses what is no regular file or is larger than max_bytes.
TrustedFile read_regular_file(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace parley::orchestration::tools
