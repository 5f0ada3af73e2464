#include <cstddef>
#include <string>
#include <string_view>

#include "retrieval/documents/text_decoding.h"
#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

constexpr char kEscape = '\x1B';
constexpr char kBackspace = '\b';

// The end of a terminal's control sequence (ECMA-48: ESC [ parameters, one final byte) that begins at `at`.
std::size_t after_escape(std::string_view text, std::size_t at) {
  ++at;
  if (at >= text.size() || text[at] != '[') return at;
  ++at;
  while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x3F) ++at;
  return at < text.size() && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : at;
}

void drop_last_character(std::string& text) {
  if (text.empty() || text.back() == '\n') return;
  while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  text.pop_back();
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7F && byte < 0xC2) || c == '\n' || c == '\t' || byte > 0xC2;
}

// A control character, or U+0080 to U+00BF, whose first byte is C2: some of them are controls too.
std::size_t append_special(std::string& out, std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '\r') {
    out.push_back('\n');
    return at + 1 < text.size() && text[at + 1] == '\n' ? at + 2 : at + 1;
  }
  if (c == '\f' || c == '\v') out.push_back('\n');
  if (c == kEscape) return after_escape(text, at);
  if (c == kBackspace) drop_last_character(out);
  if (static_cast<unsigned char>(c) != 0xC2) return at + 1;
  const unsigned char second = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0xFF;
  if (second == 0x85) {
    out.push_back('\n');
  } else if (second >= 0xA0) {
    out.append(text.substr(at, 2));
  }
  return at + 2;
}

std::string normalised_valid(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text.substr(at, end - at));
    at = end < text.size() ? append_special(out, text, end) : end;
  }
  return out;
}

}  // namespace

std::string normalised_text(std::string_view utf8) {
  return is_valid_utf8(utf8) ? normalised_valid(utf8) : normalised_valid(repaired_utf8(utf8));
}

}  // namespace parley::retrieval::documents
