#include "orchestration/mcp/plain_text.h"

#include <algorithm>

#include "inference/text/utf8_repair.h"

namespace parley::orchestration::mcp {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kMaxSequence = 4096;  // an escape sequence that never ends must not swallow the rest

bool is_final_byte(char c) { return c >= '@' && c <= '~'; }

// Behind the CSI sequence whose parameters begin at `at`.
std::size_t skip_csi(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_final_byte(text[at]) && text[at] >= ' ') ++at;
  return at < text.size() && is_final_byte(text[at]) ? at + 1 : at;
}

// Behind the OSC (or DCS, PM, APC) sequence whose text begins at `at`: it ends with BEL or ESC \.
std::size_t skip_osc(std::string_view text, std::size_t at) {
  const std::size_t limit = std::min(text.size(), at + kMaxSequence);
  for (std::size_t i = at; i < limit; ++i) {
    if (text[i] == '\a') return i + 1;
    if (text[i] == kEscape) return i + 1 < text.size() && text[i + 1] == '\\' ? i + 2 : i;
    if (text[i] == '\n') return i;
  }
  return at;
}

std::size_t skip_escape(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return at + 1;
  const char kind = text[at + 1];
  if (kind == '[') return skip_csi(text, at + 2);
  if (kind == ']' || kind == 'P' || kind == '^' || kind == '_') return skip_osc(text, at + 2);
  return kind >= '0' && kind <= '~' ? at + 2 : at + 1;
}

// Characters of several bytes that are not shown, or turn the order of what is: C1 controls (U+0080 to
// U+009F), U+202A to U+202E, U+2066 to U+2069.
std::size_t hidden_length(std::string_view rest) {
  if (rest.starts_with('\xC2') && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xA0) return 2;
  if (rest.size() < 3 || rest[0] != '\xE2') return 0;
  const auto second = static_cast<unsigned char>(rest[1]);
  const auto third = static_cast<unsigned char>(rest[2]);
  const bool is_embedding = second == 0x80 && third >= 0xAA && third <= 0xAE;
  const bool is_isolate = second == 0x81 && third >= 0xA6 && third <= 0xA9;
  return is_embedding || is_isolate ? 3 : 0;
}

bool is_shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\n' || c == '\t' || (byte >= 0x20 && byte != 0x7F);
}

}  // namespace

std::string plain_text(std::string_view raw) {
  inference::text::Utf8Repair repair;
  std::string text;
  repair.push(raw, text);
  repair.finish(text);
  std::string plain;
  plain.reserve(text.size());
  const std::string_view view = text;
  for (std::size_t at = 0; at < view.size();) {
    if (view[at] == kEscape) {
      at = skip_escape(view, at);
      continue;
    }
    if (const std::size_t hidden = hidden_length(view.substr(at)); hidden > 0) {
      at += hidden;
      continue;
    }
    if (is_shown(view[at])) plain += view[at];
    ++at;
  }
  return plain;
}

std::string plain_line(std::string_view raw, std::size_t max_bytes) {
  // Escape sequences are dropped first, so four times the limit is enough for all but decorated text.
  const bool is_long = raw.size() > 4 * max_bytes;
  std::string line = plain_text(raw.substr(0, 4 * max_bytes));
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (line.size() <= max_bytes && !is_long) return line;
  std::size_t end = std::min(max_bytes, line.size());
  while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  line.resize(end);
  return line + "…";
}

}  // namespace parley::orchestration::mcp
