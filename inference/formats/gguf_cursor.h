#pragma once
// Reads the header of a GGUF file from front to back. Nothing is read past the end and no count is believed:
// each is checked against a limit, against the bytes that are left and against a budget of memory. One
// thread. Every failure is a std::runtime_error that names the file and the field set last.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace parley::inference::formats {

static_assert(std::endian::native == std::endian::little, "GGUF files are read as little-endian memory");

class GgufCursor {
 public:
  // Memory that metadata and tensor descriptions may take. The largest vocabularies in use need about 40 MiB.
  static constexpr std::size_t kMemoryBudget = std::size_t{64} << 20;

  // Borrows `bytes`.
  GgufCursor(std::span<const std::byte> bytes, std::string file_name);

  // What is being read, for messages: "metadata key 'llama.block_count'".
  void set_field(std::string field) { field_ = std::move(field); }
  [[noreturn]] void fail(const std::string& problem) const;

  template <typename T>
  T read() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }
  bool read_bool();
  // The view borrows the file's bytes.
  std::string_view read_string(std::uint64_t max_bytes);
  // A count of things that take at least `min_bytes` each in the file; `what` is for the message
  // ("elements").
  std::uint64_t read_count(std::uint64_t limit, std::uint64_t min_bytes, std::string_view what);

  // Takes `bytes` off the budget, before they are allocated.
  void charge(std::uint64_t bytes);

  std::size_t position() const { return position_; }

 private:
  const std::byte* take(std::uint64_t bytes);

  std::span<const std::byte> bytes_;
  std::string file_name_;
  std::string field_ = "header";
  std::size_t position_ = 0;  // <= bytes_.size()
  std::size_t budget_ = kMemoryBudget;
};

}  // namespace parley::inference::formats
