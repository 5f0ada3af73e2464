#pragma once
// The tensor descriptions of a GGUF header, and their check against the data that follows.
// Called while a file is opened, on the opening thread; failures as GgufCursor.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inference/formats/gguf.h"
#include "inference/formats/gguf_cursor.h"

namespace parley::inference::formats {

inline constexpr std::uint64_t kMaxTensors = 65536;
inline constexpr std::uint64_t kMinTensorBytes = 8 + 4 + 8 + 4 + 8;  // name length, dimensions, type, offset

// A description as it stands in the header; type and shape are checked, the place of the data is not yet.
struct TensorEntry {
  TensorInfo info;           // matrix.data is nullptr
  std::uint64_t offset = 0;  // from the start of the data section
  std::uint64_t bytes = 0;
};

// Reads `count` descriptions. Names may repeat; the caller checks.
std::vector<TensorEntry> read_tensor_entries(GgufCursor& cursor, std::uint64_t count);

// Points every description at its bytes in `file`, whose data section starts behind the cursor at the next
// multiple of `alignment`. Tensors must be aligned, inside the file, and must not overlap.
std::vector<TensorInfo> place_tensors(std::vector<TensorEntry> entries, std::span<const std::byte> file,
                                      std::uint64_t alignment, GgufCursor& cursor);

}  // namespace parley::inference::formats
