#pragma once
// The key-value part of a GGUF header. Called while a file is opened, on the opening thread; failures as
// GgufCursor.

#include <cstdint>
#include <vector>

#include "inference/formats/gguf.h"
#include "inference/formats/gguf_cursor.h"

namespace parley::inference::formats {

inline constexpr std::uint64_t kMaxMetadataEntries = 65536;
inline constexpr std::uint64_t kMinEntryBytes = 8 + 4 + 1;  // key length, type, smallest value

// Reads `count` entries. Keys may repeat; the caller checks.
std::vector<MetadataEntry> read_metadata(GgufCursor& cursor, std::uint64_t count);

}  // namespace parley::inference::formats
