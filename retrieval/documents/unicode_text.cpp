#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

enum class CharClass : std::uint8_t { other, space, tab, line_end, dropped };

CharClass char_class(char32_t c) {
  if (c == ' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F ||
      c == 0x3000) {
    return CharClass::space;
  }
  if (c == '\t') {
    return CharClass::tab;
  }
  if (c == '\n' || c == '\v' || c == '\f' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029) {
    return CharClass::line_end;
  }
  if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x200B || c == 0xFEFF) {
    return CharClass::dropped;
  }
  return CharClass::other;
}

void trim_line(std::string& text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.pop_back();
  }
}

}  // namespace

void put_code_point(std::string& out, char32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
    c = kReplacementCharacter;
  }
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c == 0) {
    return;
  }
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

char32_t take_code_point(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char first = byte(position++);
  if (first < 0x80) {
    return first;
  }
  const int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - position < static_cast<std::size_t>(length - 1)) {
    return kReplacementCharacter;
  }
  char32_t c = first & (0xFF >> (length + 1));
  for (int index = 0; index + 1 < length; ++index) {
    const unsigned char next = byte(position + static_cast<std::size_t>(index));
    if ((next & 0xC0) != 0x80) {
      return kReplacementCharacter;
    }
    c = (c << 6) | (next & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
    return kReplacementCharacter;
  }
  position += static_cast<std::size_t>(length - 1);
  return c;
}

std::string cleaned_text(std::string_view text, Spacing spacing) {
  std::string out;
  out.reserve(text.size());
  const bool keep = spacing == Spacing::keep;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = take_code_point(text, position);
    switch (char_class(c)) {
      case CharClass::other:
        put_code_point(out, c);
        break;
      case CharClass::space:
      case CharClass::tab:
        if (keep) {
          out += c == '\t' ? '\t' : ' ';
        } else if (!out.empty() && out.back() != ' ' && out.back() != '\n') {
          out += ' ';
        }
        break;
      case CharClass::line_end:
        if (c == '\r' && position < text.size() && text[position] == '\n') {
          break;  // the line feed behind it ends the line
        }
        trim_line(out);
        if (!out.empty() && (keep || out.back() != '\n')) {
          out += '\n';
        }
        break;
      case CharClass::dropped:
        break;
    }
  }
  trim_line(out);
  while (!out.empty() && out.back() == '\n') {
    out.pop_back();
    trim_line(out);
  }
  return out;
}

std::string utf8_from_utf16(std::string_view bytes, ByteOrder order) {
  const auto unit = [&](std::size_t index) {
    const auto first = static_cast<unsigned char>(bytes[index]);
    const auto second = static_cast<unsigned char>(bytes[index + 1]);
    return static_cast<char32_t>(order == ByteOrder::little ? first | second << 8 : first << 8 | second);
  };
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t index = 0; index + 1 < bytes.size(); index += 2) {
    char32_t c = unit(index);
    if (c >= 0xD800 && c < 0xDC00 && index + 3 < bytes.size()) {
      const char32_t low = unit(index + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        index += 2;
      }
    }
    put_code_point(out, c);
  }
  return out;
}

bool is_unspaced_script(char32_t c) {
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF00 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFF);
}

}  // namespace parley::retrieval::documents
