#include "inference/formats/gguf_tensors.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "inference/formats/shown_name.h"

namespace parley::inference::formats {
namespace {

using kernels::dtypes::DType;

constexpr std::uint64_t kMaxNameBytes = 65535;
constexpr std::uint32_t kMaxDimensions = 4;
constexpr auto kMaxElements = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

struct StoredType {
  std::uint32_t number;
  std::string_view name;
  std::optional<DType> dtype;  // none: known by name only
};

// Numbers and names of ggml tensor types.
constexpr StoredType kStoredTypes[] = {
    {0, "F32", DType::f32},       {1, "F16", DType::f16},        {2, "Q4_0", DType::q4_0},
    {3, "Q4_1", DType::q4_1},     {6, "Q5_0", DType::q5_0},      {7, "Q5_1", DType::q5_1},
    {8, "Q8_0", DType::q8_0},     {9, "Q8_1", std::nullopt},     {10, "Q2_K", std::nullopt},
    {11, "Q3_K", std::nullopt},   {12, "Q4_K", DType::q4_k},     {13, "Q5_K", DType::q5_k},
    {14, "Q6_K", DType::q6_k},    {15, "Q8_K", std::nullopt},    {16, "IQ2_XXS", std::nullopt},
    {17, "IQ2_XS", std::nullopt}, {18, "IQ3_XXS", std::nullopt}, {19, "IQ1_S", std::nullopt},
    {20, "IQ4_NL", std::nullopt}, {21, "IQ3_S", std::nullopt},   {22, "IQ2_S", std::nullopt},
    {23, "IQ4_XS", std::nullopt}, {24, "I8", std::nullopt},      {25, "I16", std::nullopt},
    {26, "I32", std::nullopt},    {27, "I64", std::nullopt},     {28, "F64", std::nullopt},
    {29, "IQ1_M", std::nullopt},  {30, "BF16", DType::bf16},     {34, "TQ1_0", std::nullopt},
    {35, "TQ2_0", std::nullopt},  {39, "MXFP4", std::nullopt},
};

std::string supported_types() {
  std::string names;
  for (const StoredType& type : kStoredTypes) {
    if (type.dtype) names += (names.empty() ? "" : ", ") + std::string(type.name);
  }
  return names;
}

DType read_dtype(GgufCursor& cursor) {
  const auto number = cursor.read<std::uint32_t>();
  const auto* type = std::ranges::find(kStoredTypes, number, &StoredType::number);
  const bool known = type != std::end(kStoredTypes);
  if (known && type->dtype) return *type->dtype;
  cursor.fail("tensor type " + std::to_string(number) +
              (known ? " (" + std::string(type->name) + ")" : std::string()) +
              " is not supported; supported are " + supported_types());
}

// Dimensions, each at least 1, whose product fits into 63 bits.
std::vector<std::int64_t> read_dimensions(GgufCursor& cursor) {
  const auto count = cursor.read<std::uint32_t>();
  if (count < 1 || count > kMaxDimensions) {
    cursor.fail(std::to_string(count) + " dimensions; a tensor has 1 to " + std::to_string(kMaxDimensions));
  }
  cursor.charge(count * sizeof(std::int64_t));
  std::vector<std::int64_t> dimensions;
  std::uint64_t elements = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto size = cursor.read<std::uint64_t>();
    if (size < 1) cursor.fail("dimension " + std::to_string(i) + " is 0");
    if (size > kMaxElements / elements) {
      cursor.fail("dimension " + std::to_string(i) + " is " + std::to_string(size) +
                  ": the number of elements overflows");
    }
    elements *= size;
    dimensions.push_back(static_cast<std::int64_t>(size));
  }
  return dimensions;
}

// Stored bytes of the matrix; refuses rows of partial blocks and sizes above 63 bits.
std::uint64_t stored_bytes(const kernels::dtypes::MatrixView& matrix, const GgufCursor& cursor) {
  const auto& traits = kernels::dtypes::traits(matrix.dtype);
  if (matrix.columns % traits.block_elements != 0) {
    cursor.fail("rows of " + std::to_string(matrix.columns) + " values, but " + std::string(traits.name) +
                " needs a multiple of " + std::to_string(traits.block_elements));
  }
  const auto blocks = static_cast<std::uint64_t>(matrix.columns / traits.block_elements) *
                      static_cast<std::uint64_t>(matrix.rows);
  const auto block_bytes = static_cast<std::uint64_t>(traits.block_bytes);
  if (blocks > kMaxElements / block_bytes) cursor.fail("its size in bytes overflows");
  return blocks * block_bytes;
}

TensorEntry read_tensor_entry(GgufCursor& cursor) {
  const std::string_view name = cursor.read_string(kMaxNameBytes);
  if (name.empty()) cursor.fail("empty name");
  cursor.charge(name.size());
  cursor.set_field("tensor " + shown_name(name));
  TensorEntry entry;
  entry.info.name = name;
  entry.info.dimensions = read_dimensions(cursor);
  entry.info.matrix.dtype = read_dtype(cursor);
  entry.info.matrix.columns = entry.info.dimensions.front();
  entry.info.matrix.rows = 1;
  for (std::size_t i = 1; i < entry.info.dimensions.size(); ++i) {
    entry.info.matrix.rows *= entry.info.dimensions[i];
  }
  entry.bytes = stored_bytes(entry.info.matrix, cursor);
  entry.offset = cursor.read<std::uint64_t>();
  return entry;
}

void check_overlaps(std::vector<const TensorEntry*> by_offset, GgufCursor& cursor) {
  std::ranges::sort(by_offset, {}, [](const TensorEntry* entry) { return entry->offset; });
  for (std::size_t i = 1; i < by_offset.size(); ++i) {
    const TensorEntry& before = *by_offset[i - 1];
    if (by_offset[i]->offset - before.offset < before.bytes) {
      cursor.set_field("tensor " + shown_name(by_offset[i]->info.name));
      cursor.fail("its data overlaps that of tensor " + shown_name(before.info.name));
    }
  }
}

}  // namespace

std::vector<TensorEntry> read_tensor_entries(GgufCursor& cursor, std::uint64_t count) {
  // Twice: the entries and the descriptions made of them.
  cursor.charge(2 * count * sizeof(TensorEntry));
  std::vector<TensorEntry> entries;
  entries.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor.set_field("tensor " + std::to_string(i));
    entries.push_back(read_tensor_entry(cursor));
  }
  return entries;
}

std::vector<TensorInfo> place_tensors(std::vector<TensorEntry> entries, std::span<const std::byte> file,
                                      std::uint64_t alignment, GgufCursor& cursor) {
  const std::uint64_t data_start = (cursor.position() + alignment - 1) / alignment * alignment;
  const std::uint64_t data_bytes = file.size() > data_start ? file.size() - data_start : 0;
  std::vector<const TensorEntry*> by_offset;
  by_offset.reserve(entries.size());
  for (TensorEntry& entry : entries) {
    cursor.set_field("tensor " + shown_name(entry.info.name));
    if (entry.offset % alignment != 0) {
      cursor.fail("offset " + std::to_string(entry.offset) + " is not a multiple of the alignment " +
                  std::to_string(alignment));
    }
    if (entry.offset > data_bytes || entry.bytes > data_bytes - entry.offset) {
      cursor.fail("its " + std::to_string(entry.bytes) + " bytes at offset " + std::to_string(entry.offset) +
                  " reach past the end of the data (" + std::to_string(data_bytes) +
                  " bytes); the file is incomplete or damaged");
    }
    entry.info.matrix.data = file.data() + data_start + entry.offset;
    by_offset.push_back(&entry);
  }
  check_overlaps(std::move(by_offset), cursor);

  std::vector<TensorInfo> tensors;
  tensors.reserve(entries.size());
  for (TensorEntry& entry : entries) tensors.push_back(std::move(entry.info));
  return tensors;
}

}  // namespace parley::inference::formats
