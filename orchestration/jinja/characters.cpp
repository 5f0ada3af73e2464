#include "orchestration/jinja/characters.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace parley::orchestration::jinja {
namespace {

namespace tokenizer = inference::tokenizer;

constexpr char32_t kFirstBeyondAscii = 0x80;

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < kFirstBeyondAscii;
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const tokenizer::Utf8Character character = tokenizer::first_character(text.substr(at));
  return {character.code_point, character.length};
}

std::size_t count_code_points(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += code_point_at(text, at).size) ++count;
  return count;
}

std::size_t offset_of_code_point(std::string_view text, std::size_t index) {
  if (is_ascii(text)) return std::min(index, text.size());
  std::size_t at = 0;
  for (; index > 0 && at < text.size(); --index) at += code_point_at(text, at).size;
  return at;
}

bool is_space(char32_t c) {
  if (c < kFirstBeyondAscii) return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_letter(char32_t c) { return c < kInvalid && u_isalpha(static_cast<UChar32>(c)) != 0; }
bool is_digit(char32_t c) { return c < kInvalid && u_isdigit(static_cast<UChar32>(c)) != 0; }
bool is_upper(char32_t c) { return c < kInvalid && u_isUUppercase(static_cast<UChar32>(c)) != 0; }
bool is_lower(char32_t c) { return c < kInvalid && u_isULowercase(static_cast<UChar32>(c)) != 0; }

bool is_printable(char32_t c) {
  if (c < kFirstBeyondAscii) return c >= 0x20 && c < 0x7f;
  if (c >= kInvalid) return false;
  constexpr std::uint32_t kUnprintable =
      U_GC_C_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK | U_GC_ZS_MASK;  // Python's str.isprintable()
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & kUnprintable) == 0;
}

void append_in_case(std::string& out, char32_t c, LetterCase letter_case) {
  if (c < kFirstBeyondAscii || c >= kInvalid) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool upper = c >= 'A' && c <= 'Z';
    const bool flip = letter_case == LetterCase::lower ? upper : lower;
    append_utf8(out, flip ? c ^ 0x20u : c);
    return;
  }
  UErrorCode status = U_ZERO_ERROR;
  std::array<UChar, 2> source{};
  std::int32_t size = 0;
  u_strFromUTF32(source.data(), 2, &size, reinterpret_cast<const UChar32*>(&c), 1, &status);
  std::array<UChar, 8> mapped{};  // at most three code points, no locale
  std::int32_t mapped_size = 0;
  if (letter_case == LetterCase::lower) {
    mapped_size = u_strToLower(mapped.data(), 8, source.data(), size, "", &status);
  } else if (letter_case == LetterCase::upper) {
    mapped_size = u_strToUpper(mapped.data(), 8, source.data(), size, "", &status);
  } else {
    mapped_size = u_strToTitle(mapped.data(), 8, source.data(), size, nullptr, "", &status);
  }
  std::array<char, 32> bytes{};
  std::int32_t num_bytes = 0;
  u_strToUTF8(bytes.data(), 32, &num_bytes, mapped.data(), mapped_size, &status);
  out.append(bytes.data(), static_cast<std::size_t>(num_bytes));
}

bool is_final_sigma(std::string_view text, std::size_t at) {
  const auto has = [](char32_t c, UProperty property) {
    return c < kInvalid && u_hasBinaryProperty(static_cast<UChar32>(c), property) != 0;
  };
  bool cased_before = false;
  for (std::size_t end = at; end > 0;) {
    end = start_of_last(text, 0, end);
    const char32_t c = code_point_at(text, end).value;
    if (has(c, UCHAR_CASE_IGNORABLE)) continue;
    cased_before = has(c, UCHAR_CASED);
    break;
  }
  std::size_t next = at + code_point_at(text, at).size;
  while (next < text.size() && has(code_point_at(text, next).value, UCHAR_CASE_IGNORABLE)) {
    next += code_point_at(text, next).size;
  }
  return cased_before && (next == text.size() || !has(code_point_at(text, next).value, UCHAR_CASED));
}

std::size_t start_of_last(std::string_view text, std::size_t begin, std::size_t end) {
  for (std::size_t size = 2; size <= 4 && size <= end - begin; ++size) {
    if (code_point_at(text, end - size).size == size) return end - size;
  }
  return end - 1;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint next = code_point_at(text, at);
    if (!is_space(next.value)) break;
    at += next.size;
  }
  return at;
}

std::size_t trimmed_end(std::string_view text, std::size_t begin) {
  std::size_t end = text.size();
  while (end > begin) {
    const std::size_t start = start_of_last(text, begin, end);
    if (!is_space(code_point_at(text, start).value)) break;
    end = start;
  }
  return end;
}

std::size_t find_bytes(std::string_view text, std::string_view needle, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (needle.empty()) return from;
  if (needle.size() > text.size() - from) return std::string_view::npos;
  // Not string_view::find, which is quadratic on repetitive input.
  const char* begin = text.data() + from;
  const std::size_t size = text.size() - from;
  const void* found = needle.size() == 1 ? std::memchr(begin, needle[0], size)
                                         : memmem(begin, size, needle.data(), needle.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace parley::orchestration::jinja
