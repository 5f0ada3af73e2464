#pragma once
// Numbers and texts as bytes, for what goes between the server and its worker program. The reader believes
// nothing: once something does not fit, everything after it is zero or empty and `failed` says so. One owner.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

class ByteWriter {
 public:
  // LEB128: seven bits a byte, the lowest first.
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void put_text(std::string_view text) {
    put(text.size());
    bytes_ += text;
  }
  void put_float(float value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof raw);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  // Fails for a value above `most`.
  std::uint64_t get(std::uint64_t most) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte >= 0x80) continue;
      if (value <= most) return value;
      break;
    }
    fail();
    return 0;
  }
  std::string_view get_text(std::size_t longest) {
    const std::size_t size = get(longest);
    if (size > bytes_.size()) {
      fail();
      return {};
    }
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }
  float get_float() {
    float value = 0;
    if (bytes_.size() < sizeof value) {
      fail();
      return 0;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::size_t remaining() const { return bytes_.size(); }
  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    bytes_ = {};
  }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace parley::retrieval::documents
