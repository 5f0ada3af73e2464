#include "inference/formats/gguf_metadata.h"

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "inference/formats/shown_name.h"

namespace parley::inference::formats {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 65535;  // limit of the specification
constexpr std::uint64_t kMaxStringBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxArrayElements = std::uint64_t{1} << 24;

// Numbers as the specification gives them.
enum class ValueType : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  string,
  array,
  uint64,
  int64,
  float64,
};

std::string read_kept_string(GgufCursor& cursor) {
  const std::string_view text = cursor.read_string(kMaxStringBytes);
  cursor.charge(text.size());
  return std::string(text);
}

// Smallest size in the file of one element; 0: not a type that an array may hold.
std::uint64_t min_element_bytes(ValueType type) {
  switch (type) {
    case ValueType::uint8:
    case ValueType::int8:
    case ValueType::boolean:
      return 1;
    case ValueType::uint16:
    case ValueType::int16:
      return 2;
    case ValueType::uint32:
    case ValueType::int32:
    case ValueType::float32:
      return 4;
    case ValueType::string:
    case ValueType::uint64:
    case ValueType::int64:
    case ValueType::float64:
      return 8;
    case ValueType::array:
      break;
  }
  return 0;
}

template <typename Stored>
std::vector<std::int64_t> read_integers(GgufCursor& cursor, std::uint64_t count) {
  cursor.charge(count * sizeof(std::int64_t));
  std::vector<std::int64_t> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto value = cursor.read<Stored>();
    if (!std::in_range<std::int64_t>(value)) {
      cursor.fail("element " + std::to_string(i) + " is " + std::to_string(value) + ", above the largest " +
                  std::to_string(std::numeric_limits<std::int64_t>::max()));
    }
    values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

template <typename Stored>
std::vector<double> read_floats(GgufCursor& cursor, std::uint64_t count) {
  cursor.charge(count * sizeof(double));
  std::vector<double> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(cursor.read<Stored>());
  return values;
}

std::vector<std::string> read_strings(GgufCursor& cursor, std::uint64_t count) {
  cursor.charge(count * sizeof(std::string));
  std::vector<std::string> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(read_kept_string(cursor));
  return values;
}

std::vector<bool> read_booleans(GgufCursor& cursor, std::uint64_t count) {
  cursor.charge(count / 8 + 1);
  std::vector<bool> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(cursor.read_bool());
  return values;
}

MetadataValue read_array(GgufCursor& cursor) {
  const auto number = cursor.read<std::uint32_t>();
  const auto type = static_cast<ValueType>(number);
  if (type == ValueType::array) cursor.fail("an array of arrays is not supported");
  const std::uint64_t min_bytes = min_element_bytes(type);
  if (min_bytes == 0) cursor.fail("unknown array element type " + std::to_string(number));
  const std::uint64_t count = cursor.read_count(kMaxArrayElements, min_bytes, "array elements");
  switch (type) {
    case ValueType::uint8:
      return read_integers<std::uint8_t>(cursor, count);
    case ValueType::int8:
      return read_integers<std::int8_t>(cursor, count);
    case ValueType::uint16:
      return read_integers<std::uint16_t>(cursor, count);
    case ValueType::int16:
      return read_integers<std::int16_t>(cursor, count);
    case ValueType::uint32:
      return read_integers<std::uint32_t>(cursor, count);
    case ValueType::int32:
      return read_integers<std::int32_t>(cursor, count);
    case ValueType::uint64:
      return read_integers<std::uint64_t>(cursor, count);
    case ValueType::int64:
      return read_integers<std::int64_t>(cursor, count);
    case ValueType::float32:
      return read_floats<float>(cursor, count);
    case ValueType::float64:
      return read_floats<double>(cursor, count);
    case ValueType::boolean:
      return read_booleans(cursor, count);
    default:
      return read_strings(cursor, count);
  }
}

template <typename Kept, typename Stored>
MetadataValue read_number(GgufCursor& cursor) {
  return Kept{cursor.read<Stored>()};
}

MetadataValue read_value(GgufCursor& cursor) {
  const auto number = cursor.read<std::uint32_t>();
  switch (static_cast<ValueType>(number)) {
    case ValueType::uint8:
      return read_number<std::uint64_t, std::uint8_t>(cursor);
    case ValueType::uint16:
      return read_number<std::uint64_t, std::uint16_t>(cursor);
    case ValueType::uint32:
      return read_number<std::uint64_t, std::uint32_t>(cursor);
    case ValueType::uint64:
      return read_number<std::uint64_t, std::uint64_t>(cursor);
    case ValueType::int8:
      return read_number<std::int64_t, std::int8_t>(cursor);
    case ValueType::int16:
      return read_number<std::int64_t, std::int16_t>(cursor);
    case ValueType::int32:
      return read_number<std::int64_t, std::int32_t>(cursor);
    case ValueType::int64:
      return read_number<std::int64_t, std::int64_t>(cursor);
    case ValueType::float32:
      return read_number<double, float>(cursor);
    case ValueType::float64:
      return read_number<double, double>(cursor);
    case ValueType::boolean:
      return cursor.read_bool();
    case ValueType::string:
      return read_kept_string(cursor);
    case ValueType::array:
      return read_array(cursor);
  }
  cursor.fail("unknown value type " + std::to_string(number));
}

}  // namespace

std::vector<MetadataEntry> read_metadata(GgufCursor& cursor, std::uint64_t count) {
  cursor.charge(count * sizeof(MetadataEntry));
  std::vector<MetadataEntry> entries;
  entries.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    cursor.set_field("metadata entry " + std::to_string(i));
    const std::string_view key = cursor.read_string(kMaxKeyBytes);
    if (key.empty()) cursor.fail("empty key");
    cursor.charge(key.size());
    cursor.set_field("metadata key " + shown_name(key));
    entries.push_back({std::string(key), read_value(cursor)});
  }
  return entries;
}

}  // namespace parley::inference::formats
