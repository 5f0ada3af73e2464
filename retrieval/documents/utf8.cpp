#include "retrieval/documents/utf8.h"

#include <cstdint>
#include <cstring>

namespace parley::retrieval::documents {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool continues(std::string_view text, std::size_t at, unsigned char low, unsigned char high) {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte >= low && byte <= high;
}

// Unicode 15, table 3-7.
std::size_t long_character(std::string_view text, std::size_t at, unsigned char first) {
  const auto tail = [&](std::size_t offset) { return continues(text, at + offset, 0x80, 0xBF); };
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned char low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = first == 0xED ? 0x9F : 0xBF;
    return continues(text, at + 1, low, high) && tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned char low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = first == 0xF4 ? 0x8F : 0xBF;
    return continues(text, at + 1, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

// The first place at or after `at` that is no run of eight ASCII bytes.
std::size_t after_ascii(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  return at;
}

}  // namespace

std::size_t utf8_length_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const auto first = static_cast<unsigned char>(text[at]);
  return first < 0x80 ? 1 : long_character(text, at, first);
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = after_ascii(text, 0); at < text.size(); at = after_ascii(text, at)) {
    const std::size_t length = utf8_length_at(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void append_code_point(std::string& text, char32_t value) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto tail = [&](int shift) { put(0x80 | ((value >> shift) & 0x3F)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xC0 | (value >> 6));
    tail(0);
  } else if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    text += kReplacement;
  } else if (value < 0x10000) {
    put(0xE0 | (value >> 12));
    tail(6);
    tail(0);
  } else {
    put(0xF0 | (value >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string repaired_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length_at(text, at);
    if (length == 0) {
      repaired += kReplacement;
      ++at;
    } else {
      repaired.append(text.substr(at, length));
      at += length;
    }
  }
  return repaired;
}

}  // namespace parley::retrieval::documents
