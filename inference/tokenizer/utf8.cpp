#include "inference/tokenizer/utf8.h"

namespace parley::inference::tokenizer {
namespace {

struct LeadByte {
  std::size_t length;  // of the character; 0: begins none
  unsigned char second_min;
  unsigned char second_max;
};

// The second byte is restricted where shorter forms, surrogates or values above U+10FFFF would begin.
LeadByte lead_byte(unsigned char byte) {
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Utf8Part first_utf8_part(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {Utf8Kind::character, 1, first};
  const LeadByte lead = lead_byte(first);
  if (lead.length == 0) return {Utf8Kind::invalid, 1, 0};
  char32_t code_point = first & (0x7Fu >> lead.length);
  for (std::size_t index = 1; index < lead.length; ++index) {
    if (index == text.size()) return {Utf8Kind::unfinished, index, 0};
    const auto byte = static_cast<unsigned char>(text[index]);
    const unsigned char min = index == 1 ? lead.second_min : 0x80;
    const unsigned char max = index == 1 ? lead.second_max : 0xBF;
    if (byte < min || byte > max) return {Utf8Kind::invalid, index, 0};
    code_point = code_point << 6 | (byte & 0x3Fu);
  }
  return {Utf8Kind::character, lead.length, code_point};
}

Utf8Character first_character(std::string_view text) {
  const Utf8Part part = first_utf8_part(text);
  if (part.kind == Utf8Kind::character) return {part.code_point, part.length};
  return {kInvalidByte + static_cast<unsigned char>(text[0]), 1};
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto continuation = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | (code_point >> shift & 0x3F)));
  };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code_point >> 6));
    continuation(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | code_point >> 12));
    continuation(6);
    continuation(0);
  } else if (code_point < kInvalidByte) {
    out.push_back(static_cast<char>(0xF0 | code_point >> 18));
    continuation(12);
    continuation(6);
    continuation(0);
  } else {
    out.push_back(static_cast<char>(code_point - kInvalidByte));
  }
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Part part = first_utf8_part(text);
    if (part.kind != Utf8Kind::character) return false;
    text.remove_prefix(part.length);
  }
  return true;
}

bool is_character_border(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return offset == text.size();
  return (static_cast<unsigned char>(text[offset]) & 0xC0) != 0x80;
}

}  // namespace parley::inference::tokenizer
