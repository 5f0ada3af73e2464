#include "inference/formats/gguf_cursor.h"

#include <stdexcept>
#include <utility>

namespace parley::inference::formats {

GgufCursor::GgufCursor(std::span<const std::byte> bytes, std::string file_name)
    : bytes_(bytes), file_name_(std::move(file_name)) {}

void GgufCursor::fail(const std::string& problem) const {
  throw std::runtime_error(file_name_ + ": " + field_ + ": " + problem);
}

const std::byte* GgufCursor::take(std::uint64_t bytes) {
  if (bytes > bytes_.size() - position_) {
    fail("needs " + std::to_string(bytes) + " bytes at offset " + std::to_string(position_) +
         " but the file ends at " + std::to_string(bytes_.size()) + "; it is incomplete or damaged");
  }
  const std::byte* start = bytes_.data() + position_;
  position_ += static_cast<std::size_t>(bytes);
  return start;
}

bool GgufCursor::read_bool() {
  const auto value = read<std::uint8_t>();
  if (value > 1) fail("a boolean must be 0 or 1, found " + std::to_string(value));
  return value == 1;
}

std::string_view GgufCursor::read_string(std::uint64_t max_bytes) {
  const auto length = read<std::uint64_t>();
  if (length > max_bytes) {
    fail("string of " + std::to_string(length) + " bytes, at most " + std::to_string(max_bytes) +
         " are allowed");
  }
  return {reinterpret_cast<const char*>(take(length)), static_cast<std::size_t>(length)};
}

std::uint64_t GgufCursor::read_count(std::uint64_t limit, std::uint64_t min_bytes, std::string_view what) {
  const auto count = read<std::uint64_t>();
  const std::string shown = std::to_string(count) + " " + std::string(what);
  if (count > limit) fail(shown + ", at most " + std::to_string(limit) + " are allowed");
  if (count > (bytes_.size() - position_) / min_bytes) {
    fail(shown + " do not fit into the " + std::to_string(bytes_.size() - position_) +
         " bytes that follow; the file is incomplete or damaged");
  }
  return count;
}

void GgufCursor::charge(std::uint64_t bytes) {
  if (bytes > budget_) {
    fail("metadata and tensor descriptions would take more than " + std::to_string(kMemoryBudget >> 20) +
         " MiB of memory");
  }
  budget_ -= static_cast<std::size_t>(bytes);
}

}  // namespace parley::inference::formats
