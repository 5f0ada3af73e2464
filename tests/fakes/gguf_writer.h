#pragma once
// Writes small GGUF files for tests. Well-formed unless told otherwise: counts can be overridden and entries
// given as raw bytes, so that each check of the reader can be met alone. One thread; never fails.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::tests::fakes {

template <typename T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

inline std::string raw_string(std::string_view text) {
  return raw(std::uint64_t{text.size()}) + std::string(text);
}

// Numbers of the GGUF specification.
template <typename T>
constexpr std::uint32_t gguf_type() {
  if constexpr (std::is_same_v<T, bool>) return 7;
  if constexpr (std::is_same_v<T, std::string>) return 8;
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? 6 : 12;
  constexpr std::uint32_t kSigned = std::is_signed_v<T> ? 1 : 0;
  if constexpr (sizeof(T) == 8) return 10 + kSigned;
  return (sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 2 : 4) + kSigned;
}

inline constexpr std::uint32_t kGgufArray = 9;
inline constexpr std::uint32_t kGgufF32 = 0;  // a tensor type

class GgufWriter {
 public:
  std::uint32_t version = 3;
  std::uint32_t alignment = 32;  // written only as the caller adds the key
  std::optional<std::uint64_t> tensor_count;
  std::optional<std::uint64_t> metadata_count;

  GgufWriter& add_raw(std::string_view key, std::uint32_t type, std::string_view value) {
    metadata_ += raw_string(key) + raw(type) + std::string(value);
    ++num_metadata_;
    return *this;
  }
  GgufWriter& add(std::string_view key, std::string_view text) {
    return add_raw(key, gguf_type<std::string>(), raw_string(text));
  }
  GgufWriter& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  template <typename T>
  requires std::is_arithmetic_v<T> GgufWriter& add(std::string_view key, T value) {
    return add_raw(key, gguf_type<T>(), raw(value));
  }
  template <typename T>
  GgufWriter& add_array(std::string_view key, const std::vector<T>& values) {
    std::string bytes = raw(gguf_type<T>()) + raw(std::uint64_t{values.size()});
    for (const auto& value : values) {
      if constexpr (std::is_same_v<T, std::string>) {
        bytes += raw_string(value);
      } else {
        bytes += raw(static_cast<T>(value));
      }
    }
    return add_raw(key, kGgufArray, bytes);
  }

  // A description with a chosen offset; `data` alone decides what follows in the data section.
  GgufWriter& add_tensor_at(std::string_view name, const std::vector<std::uint64_t>& dimensions,
                            std::uint32_t type, std::uint64_t offset) {
    tensors_ += raw_string(name) + raw(static_cast<std::uint32_t>(dimensions.size()));
    for (const std::uint64_t size : dimensions) tensors_ += raw(size);
    tensors_ += raw(type) + raw(offset);
    ++num_tensors_;
    return *this;
  }
  // Dimensions as stored, the first is the fastest.
  GgufWriter& add_tensor(std::string_view name, const std::vector<std::uint64_t>& dimensions,
                         std::uint32_t type, std::string_view data) {
    data_.resize((data_.size() + alignment - 1) / alignment * alignment, '\0');
    add_tensor_at(name, dimensions, type, data_.size());
    data_ += data;
    return *this;
  }
  GgufWriter& add_f32(std::string_view name, const std::vector<std::uint64_t>& dimensions,
                      const std::vector<float>& values) {
    const std::string_view data(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return add_tensor(name, dimensions, kGgufF32, data);
  }

  std::string bytes() const {
    std::string file = "GGUF" + raw(version) + raw(tensor_count.value_or(num_tensors_)) +
                       raw(metadata_count.value_or(num_metadata_)) + metadata_ + tensors_;
    if (!data_.empty()) file.resize((file.size() + alignment - 1) / alignment * alignment, '\0');
    return file + data_;
  }
  void write(const std::filesystem::path& path) const { write_file(path, bytes()); }

  static void write_file(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::string metadata_;
  std::string tensors_;
  std::string data_;
  std::uint64_t num_metadata_ = 0;
  std::uint64_t num_tensors_ = 0;
};

}  // namespace parley::tests::fakes
