#include "inference/tokenizer/byte_alphabet.h"

#include <array>

#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

constexpr int kFirstShifted = 0x100;
constexpr int kNumShifted = 68;

constexpr bool stands_for_itself(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<unsigned char, kNumShifted> make_shifted_bytes() {
  std::array<unsigned char, kNumShifted> bytes{};
  std::size_t size = 0;
  for (int byte = 0; byte < 256; ++byte) {
    if (!stands_for_itself(byte)) bytes[size++] = static_cast<unsigned char>(byte);
  }
  return bytes;
}

constexpr std::array<unsigned char, kNumShifted> kShiftedBytes = make_shifted_bytes();

constexpr std::array<char32_t, 256> make_code_points() {
  std::array<char32_t, 256> code_points{};
  for (std::size_t byte = 0; byte < 256; ++byte) code_points[byte] = static_cast<char32_t>(byte);
  for (std::size_t index = 0; index < kNumShifted; ++index) {
    code_points[kShiftedBytes[index]] = static_cast<char32_t>(kFirstShifted + index);
  }
  return code_points;
}

constexpr std::array<char32_t, 256> kCodePoints = make_code_points();

}  // namespace

std::optional<std::string> bytes_of_name(std::string_view name) {
  std::string bytes;
  bytes.reserve(name.size());
  while (!name.empty()) {
    const Utf8Character character = first_character(name);
    name.remove_prefix(character.length);
    const char32_t code_point = character.code_point;
    if (code_point < kFirstShifted && stands_for_itself(static_cast<int>(code_point))) {
      bytes.push_back(static_cast<char>(code_point));
    } else if (code_point >= kFirstShifted && code_point < kFirstShifted + kNumShifted) {
      bytes.push_back(static_cast<char>(kShiftedBytes[code_point - kFirstShifted]));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::string name_of_bytes(std::string_view bytes) {
  std::string name;
  for (const char byte : bytes) append_utf8(name, kCodePoints[static_cast<unsigned char>(byte)]);
  return name;
}

}  // namespace parley::inference::tokenizer
