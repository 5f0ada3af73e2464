// UTF-16 and UTF-32 without a byte order mark: read in each of the four ways, the one that looks like text
// wins.
#include <algorithm>
#include <array>
#include <cstddef>

#include "retrieval/documents/charset.h"

namespace parley::retrieval::documents {

namespace {

struct WideForm {
  std::string_view name;
  std::size_t unit_bytes = 2;
  bool big_endian = false;
};

constexpr std::array<WideForm, 4> kWideForms = {{
    {"UTF-32LE", 4, false},
    {"UTF-32BE", 4, true},
    {"UTF-16LE", 2, false},
    {"UTF-16BE", 2, true},
}};

char32_t unit_at(std::string_view bytes, std::size_t at, const WideForm& form) {
  char32_t value = 0;
  for (std::size_t i = 0; i < form.unit_bytes; ++i) {
    const std::size_t place = form.big_endian ? at + i : at + form.unit_bytes - 1 - i;
    value = value << 8 | static_cast<unsigned char>(bytes[place]);
  }
  return value;
}

bool is_odd_in_text(char32_t unit) {
  const bool control = unit < 0x20 && unit != '\n' && unit != '\r' && unit != '\t' && unit != '\f';
  const bool private_use = unit >= 0xE000 && unit < 0xF900;
  return control || private_use || unit == 0xFFFE || unit == 0xFFFF || unit > 0x10FFFF;
}

bool parts_words(char32_t unit) {
  return unit == ' ' || unit == '\n' || unit == '\r' || unit == '\t' || unit == 0x3000 || unit == 0x3001 ||
         unit == 0x3002;
}

bool looks_like_text(std::string_view bytes, const WideForm& form) {
  std::size_t odd = 0, parting = 0, paired = 0, ascii = 0;
  char32_t before = 0;
  const std::size_t units = bytes.size() / form.unit_bytes;
  for (std::size_t i = 0; i < units; ++i) {
    const char32_t unit = unit_at(bytes, i * form.unit_bytes, form);
    odd += is_odd_in_text(unit) ? 1 : 0;
    parting += parts_words(unit) ? 1 : 0;
    ascii += unit < 0x80 ? 1 : 0;
    const bool low = unit >= 0xDC00 && unit < 0xE000;
    const bool after_high = before >= 0xD800 && before < 0xDC00;
    if (low != after_high) ++paired;
    before = unit;
  }
  if (units == 0 || (odd + paired) * 50 > units) return false;
  return parting > 0 || ascii == units;
}

}  // namespace

std::string guess_wide_charset(std::string_view bytes) {
  constexpr std::size_t kSample = 16 << 10;
  const std::string_view sample = bytes.substr(0, kSample);
  // Every text in them has some character below U+0100 or, in UTF-32, below U+110000: a NUL byte.
  if (sample.find('\0') == std::string_view::npos) return "";
  for (const WideForm& form : kWideForms) {
    if (bytes.size() % form.unit_bytes == 0 && looks_like_text(sample, form)) return std::string(form.name);
  }
  return "";
}

}  // namespace parley::retrieval::documents
