#pragma once
// What tells without reading whether a file is the one that was read before. A value, any thread.

#include <cstdint>

namespace parley::retrieval::scan {

struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;      // bytes
  std::int64_t mtime_ns = 0;  // since 1970
  std::int64_t ctime_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

}  // namespace parley::retrieval::scan
