#include "storage/sqlite/write_ahead_log.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <vector>

namespace parley::storage::sqlite {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::uint32_t kMagic = 0x377f0682;  // its last bit: the checksum takes words as big-endian
constexpr std::uint32_t kMaxPageBytes = 65536;

using Bytes = std::span<const unsigned char>;

std::uint32_t big_endian(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
         std::uint32_t{bytes[at + 2]} << 8 | std::uint32_t{bytes[at + 3]};
}

std::uint32_t little_endian(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at + 3]} << 24 | std::uint32_t{bytes[at + 2]} << 16 |
         std::uint32_t{bytes[at + 1]} << 8 | std::uint32_t{bytes[at]};
}

// Over pairs of words; each sum goes on from the frame before.
class Checksum {
 public:
  explicit Checksum(bool is_big_endian) : word_(is_big_endian ? big_endian : little_endian) {}

  void add(Bytes bytes) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      first_ += word_(bytes, i) + second_;
      second_ += word_(bytes, i + 4) + first_;
    }
  }
  bool stands_at(Bytes bytes, std::size_t at) const {
    return first_ == big_endian(bytes, at) && second_ == big_endian(bytes, at + 4);
  }

 private:
  std::uint32_t (*word_)(Bytes, std::size_t);
  std::uint32_t first_ = 0, second_ = 0;
};

bool read_exactly(std::ifstream& file, std::span<unsigned char> into) {
  file.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
  return static_cast<std::size_t>(file.gcount()) == into.size();
}

bool is_page_size(std::uint32_t bytes) {
  return bytes >= 512 && bytes <= kMaxPageBytes && std::has_single_bit(bytes);
}

}  // namespace

bool is_damaged_log(const std::filesystem::path& log) {
  std::ifstream file(log, std::ios::binary);
  std::array<unsigned char, kHeaderBytes> header{};
  if (!read_exactly(file, header)) return false;
  const std::uint32_t magic = big_endian(header, 0), page_bytes = big_endian(header, 8);
  Checksum checksum((magic & 1) != 0);
  checksum.add(Bytes(header).first(24));
  if ((magic & ~1u) != kMagic || !is_page_size(page_bytes) || !checksum.stands_at(header, 24)) return true;

  std::vector<unsigned char> frame(kFrameHeaderBytes + page_bytes);
  bool ended = false;
  while (read_exactly(file, frame)) {
    const bool todays = std::memcmp(frame.data() + 8, header.data() + 16, 8) == 0;  // the two salts
    if (!todays) {
      ended = true;
      continue;
    }
    checksum.add(Bytes(frame).first(8));
    checksum.add(Bytes(frame).subspan(kFrameHeaderBytes));
    if (ended || !checksum.stands_at(frame, 16)) return true;
  }
  return false;
}

}  // namespace parley::storage::sqlite
