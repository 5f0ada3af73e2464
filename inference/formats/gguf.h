#pragma once
// GGUF v2 and v3 model files by memory mapping: metadata and tensor descriptions, every count, offset, type
// and length checked before use. A file is hostile input: anything wrong is a std::runtime_error that names
// the field. Immutable after open, any thread. Views borrow the mapping, so the file outlives them, and
// copies are needed of whatever lives longer: mapped_file.h says what happens when the file is written to.
// Format: the GGUF specification of the ggml project (docs/gguf.md there).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/dtypes/dtype.h"

namespace parley::inference::formats {

// Arrays keep their element kind: integers widened to 64 bits, floats to double.
using MetadataValue = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<bool>,
                                   std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

struct MetadataEntry {
  std::string key;
  MetadataValue value;
};

struct TensorInfo {
  std::string name;
  std::vector<std::int64_t> dimensions;  // as stored: the first is the fastest (columns)
  kernels::dtypes::MatrixView matrix;    // 1-d tensors have one row
};

class GgufFile {
 public:
  virtual ~GgufFile() = default;

  virtual const std::filesystem::path& path() const = 0;
  virtual int version() const = 0;
  virtual std::size_t file_bytes() const = 0;
  // False when the file was written to since it was opened: what was read of it cannot be trusted.
  virtual bool is_unchanged() const = 0;

  virtual std::span<const MetadataEntry> metadata() const = 0;
  virtual std::span<const TensorInfo> tensors() const = 0;

  virtual const MetadataValue* find_metadata(std::string_view key) const = 0;  // nullptr: absent
  virtual const TensorInfo* find_tensor(std::string_view name) const = 0;      // nullptr: absent
};

std::unique_ptr<GgufFile> open_gguf(const std::filesystem::path& path);

// Typed reads. Absent: nullopt. Present with another type or out of range: std::runtime_error naming the key.
std::optional<std::int64_t> find_integer(const GgufFile& file, std::string_view key);
std::optional<double> find_number(const GgufFile& file, std::string_view key);
std::optional<bool> find_bool(const GgufFile& file, std::string_view key);
std::optional<std::string> find_string(const GgufFile& file, std::string_view key);

}  // namespace parley::inference::formats
