// Typed reads of metadata, declared in gguf.h.

#include <cmath>
#include <limits>
#include <stdexcept>

#include "inference/formats/gguf.h"

namespace parley::inference::formats {
namespace {

[[noreturn]] void fail(const GgufFile& file, std::string_view key, const std::string& problem) {
  throw std::runtime_error(file.path().string() + ": metadata key '" + std::string(key) + "': " + problem);
}

std::string_view kind(const MetadataValue& value) {
  constexpr std::string_view kKinds[] = {
      "a boolean",          "an integer",           "an integer",           "a number",
      "a string",           "an array of booleans", "an array of integers", "an array of numbers",
      "an array of strings"};
  static_assert(std::variant_size_v<MetadataValue> == std::size(kKinds));
  return kKinds[value.index()];
}

[[noreturn]] void wrong_kind(const GgufFile& file, std::string_view key, std::string_view wanted,
                             const MetadataValue& value) {
  fail(file, key, "must be " + std::string(wanted) + ", is " + std::string(kind(value)));
}

}  // namespace

std::optional<std::int64_t> find_integer(const GgufFile& file, std::string_view key) {
  const MetadataValue* value = file.find_metadata(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(value)) return *number;
  const auto* number = std::get_if<std::uint64_t>(value);
  if (number == nullptr) wrong_kind(file, key, "an integer", *value);
  if (*number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fail(file, key, std::to_string(*number) + " is out of range");
  }
  return static_cast<std::int64_t>(*number);
}

std::optional<double> find_number(const GgufFile& file, std::string_view key) {
  const MetadataValue* value = file.find_metadata(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(value)) return static_cast<double>(*number);
  const auto* number = std::get_if<double>(value);
  if (number == nullptr) wrong_kind(file, key, "a number", *value);
  if (!std::isfinite(*number)) fail(file, key, "is not a finite number");
  return *number;
}

std::optional<bool> find_bool(const GgufFile& file, std::string_view key) {
  const MetadataValue* value = file.find_metadata(key);
  if (value == nullptr) return std::nullopt;
  const auto* flag = std::get_if<bool>(value);
  if (flag == nullptr) wrong_kind(file, key, "a boolean", *value);
  return *flag;
}

std::optional<std::string> find_string(const GgufFile& file, std::string_view key) {
  const MetadataValue* value = file.find_metadata(key);
  if (value == nullptr) return std::nullopt;
  const auto* text = std::get_if<std::string>(value);
  if (text == nullptr) wrong_kind(file, key, "a string", *value);
  return *text;
}

}  // namespace parley::inference::formats
