#include "orchestration/mcp/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace parley::orchestration::mcp {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNotADigit = 255;

constexpr std::array<std::uint8_t, 256> make_digits() {
  std::array<std::uint8_t, 256> digits{};
  for (auto& digit : digits) digit = kNotADigit;
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits.at(static_cast<unsigned char>(kAlphabet[i])) = static_cast<std::uint8_t>(i);
  }
  return digits;
}

constexpr auto kDigits = make_digits();

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = (bits << 8) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= group.size() ? kAlphabet[(bits >> (18 - 6 * i)) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const std::uint8_t digit = kDigits.at(static_cast<unsigned char>(c));
    if (digit == kNotADigit) return std::nullopt;
    bits = (bits << 6) | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 255);
  }
  if (count >= 6) return std::nullopt;
  return bytes;
}

}  // namespace parley::orchestration::mcp
