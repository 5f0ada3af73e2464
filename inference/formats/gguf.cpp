#include "inference/formats/gguf.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "inference/formats/gguf_cursor.h"
#include "inference/formats/gguf_metadata.h"
#include "inference/formats/gguf_tensors.h"
#include "inference/formats/mapped_file.h"
#include "inference/formats/shown_name.h"

namespace parley::inference::formats {
namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint64_t kMinAlignment = 8;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 20;

// Positions of the items in ascending order of their names: binary search, and no hash to be flooded.
template <typename Item>
std::vector<std::uint32_t> order_by_name(const std::vector<Item>& items, std::string Item::*name) {
  std::vector<std::uint32_t> order(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::ranges::sort(order, {}, [&](std::uint32_t i) -> const std::string& { return items[i].*name; });
  return order;
}

template <typename Item>
void refuse_duplicates(const std::vector<Item>& items, const std::vector<std::uint32_t>& order,
                       std::string Item::*name, std::string_view what, GgufCursor& cursor) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::string& current = items[order[i]].*name;
    if (current != items[order[i - 1]].*name) continue;
    cursor.set_field(std::string(what) + " " + shown_name(current));
    cursor.fail("appears twice");
  }
}

template <typename Item>
const Item* find_by_name(const std::vector<Item>& items, const std::vector<std::uint32_t>& order,
                         std::string Item::*name, std::string_view wanted) {
  const auto found = std::ranges::lower_bound(
      order, wanted, {}, [&](std::uint32_t i) -> std::string_view { return items[i].*name; });
  return found != order.end() && items[*found].*name == wanted ? &items[*found] : nullptr;
}

std::uint32_t read_version(GgufCursor& cursor) {
  cursor.set_field("magic");
  if (cursor.read<std::uint32_t>() != kMagic) cursor.fail("not a GGUF file");
  cursor.set_field("version");
  const auto version = cursor.read<std::uint32_t>();
  if (version == 0x02000000 || version == 0x03000000) {
    cursor.fail("a big-endian file; convert it to little-endian first");
  }
  if (version != 2 && version != 3) {
    cursor.fail("GGUF version " + std::to_string(version) + "; versions 2 and 3 are supported");
  }
  return version;
}

class MappedGguf final : public GgufFile {
 public:
  explicit MappedGguf(const std::filesystem::path& path) : path_(path), mapping_(path) {
    GgufCursor cursor(mapping_.bytes(), path.string());
    version_ = static_cast<int>(read_version(cursor));
    cursor.set_field("tensor count");
    const std::uint64_t num_tensors = cursor.read_count(kMaxTensors, kMinTensorBytes, "tensors");
    cursor.set_field("metadata count");
    const std::uint64_t num_entries = cursor.read_count(kMaxMetadataEntries, kMinEntryBytes, "entries");

    metadata_ = read_metadata(cursor, num_entries);
    metadata_order_ = order_by_name(metadata_, &MetadataEntry::key);
    refuse_duplicates(metadata_, metadata_order_, &MetadataEntry::key, "metadata key", cursor);

    std::vector<TensorEntry> entries = read_tensor_entries(cursor, num_tensors);
    const std::uint64_t alignment = checked_alignment(cursor);
    tensors_ = place_tensors(std::move(entries), mapping_.bytes(), alignment, cursor);
    tensor_order_ = order_by_name(tensors_, &TensorInfo::name);
    refuse_duplicates(tensors_, tensor_order_, &TensorInfo::name, "tensor", cursor);
  }

  const std::filesystem::path& path() const override { return path_; }
  int version() const override { return version_; }
  std::size_t file_bytes() const override { return mapping_.bytes().size(); }
  bool is_unchanged() const override { return mapping_.is_unchanged(); }
  std::span<const MetadataEntry> metadata() const override { return metadata_; }
  std::span<const TensorInfo> tensors() const override { return tensors_; }

  const MetadataValue* find_metadata(std::string_view key) const override {
    const MetadataEntry* entry = find_by_name(metadata_, metadata_order_, &MetadataEntry::key, key);
    return entry != nullptr ? &entry->value : nullptr;
  }
  const TensorInfo* find_tensor(std::string_view name) const override {
    return find_by_name(tensors_, tensor_order_, &TensorInfo::name, name);
  }

 private:
  std::uint64_t checked_alignment(GgufCursor& cursor) const {
    const MetadataValue* value = find_metadata("general.alignment");
    if (value == nullptr) return kDefaultAlignment;
    cursor.set_field("metadata key 'general.alignment'");
    const auto* alignment = std::get_if<std::uint64_t>(value);
    if (alignment == nullptr) cursor.fail("must be an unsigned integer");
    if (!std::has_single_bit(*alignment) || *alignment < kMinAlignment || *alignment > kMaxAlignment) {
      cursor.fail("is " + std::to_string(*alignment) + "; must be a power of two from " +
                  std::to_string(kMinAlignment) + " to " + std::to_string(kMaxAlignment));
    }
    return *alignment;
  }

  std::filesystem::path path_;
  MappedFile mapping_;
  int version_ = 0;
  std::vector<MetadataEntry> metadata_;
  std::vector<std::uint32_t> metadata_order_;  // by key
  std::vector<TensorInfo> tensors_;
  std::vector<std::uint32_t> tensor_order_;  // by name
};

}  // namespace

std::unique_ptr<GgufFile> open_gguf(const std::filesystem::path& path) {
  return std::make_unique<MappedGguf>(path);
}

}  // namespace parley::inference::formats
