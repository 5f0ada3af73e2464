#include "orchestration/turn/uuid.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace parley::orchestration::turn {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kLength = 36;

bool is_dash_place(std::size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

std::array<std::uint8_t, 16> random_bytes() {
  std::random_device device;
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    const std::uint32_t word = device();
    for (std::size_t k = 0; k < 4; ++k) bytes.at(i + k) = static_cast<std::uint8_t>(word >> (8 * k));
  }
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);
  return bytes;
}

}  // namespace

std::string make_uuid() {
  std::string text;
  text.reserve(kLength);
  for (const std::uint8_t byte : random_bytes()) {
    if (is_dash_place(text.size())) text.push_back('-');
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 0x0f]);
  }
  return text;
}

bool is_uuid(std::string_view text) {
  if (text.size() != kLength) return false;
  for (std::size_t i = 0; i < kLength; ++i) {
    const bool dash = text[i] == '-';
    if (dash != is_dash_place(i)) return false;
    if (!dash && kDigits.find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace parley::orchestration::turn
