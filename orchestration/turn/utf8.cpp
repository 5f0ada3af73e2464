#include "orchestration/turn/utf8.h"

#include <cstdint>

namespace parley::orchestration::turn {
namespace {

bool is_continuation(char byte) { return (static_cast<std::uint8_t>(byte) & 0xc0) == 0x80; }

// Bytes of a character by its first one; 0: no character begins so.
std::size_t length_by_first(std::uint8_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

// Written with more bytes than needed, half of a UTF-16 pair, or behind the last code point.
bool is_forbidden(char32_t code, std::size_t bytes) {
  return (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000) ||
         (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
}

}  // namespace

std::optional<Character> character_at(std::string_view text, std::size_t offset) {
  const auto first = static_cast<std::uint8_t>(text[offset]);
  const std::size_t bytes = length_by_first(first);
  if (bytes == 0 || bytes > text.size() - offset) return std::nullopt;
  if (bytes == 1) return Character{first, 1};
  char32_t code = first & (0x7f >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[offset + i])) return std::nullopt;
    code = (code << 6) | (static_cast<std::uint8_t>(text[offset + i]) & 0x3f);
  }
  if (is_forbidden(code, bytes)) return std::nullopt;
  return Character{code, bytes};
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t offset = 0; offset < text.size();) {
    const auto character = character_at(text, offset);
    if (!character) return false;
    offset += character->bytes;
  }
  return true;
}

bool is_character_border(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return offset == text.size();
  return !is_continuation(text[offset]);
}

}  // namespace parley::orchestration::turn
