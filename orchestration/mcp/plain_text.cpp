#include "orchestration/mcp/plain_text.h"

#include <algorithm>
#include <utility>

#include "inference/text/utf8_repair.h"

namespace parley::orchestration::mcp {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kMaxSequence = 4096;  // a control string that never ends must not swallow the rest

bool in_range(char c, char low, char high) { return c >= low && c <= high; }

// What turns the order of text around: U+202A to U+202E, U+2066 to U+2069.
bool begins_with_override(std::string_view text) {
  if (text.size() < 3 || text[0] != '\xE2') return false;
  return (text[1] == '\x80' && in_range(text[2], '\xAA', '\xAE')) ||
         (text[1] == '\x81' && in_range(text[2], '\xA6', '\xA9'));
}

// Takes the terminal sequences of ECMA-48 out of UTF-8 text. Those that run to a terminator end with their
// line too.
class ControlStripper {
 public:
  explicit ControlStripper(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == kEscape) {
        ++at_;
        take_escape();
      } else if (c == '\xC2' && at_ + 1 < text_.size() && in_range(text_[at_ + 1], '\x80', '\x9F')) {
        const char control = text_[at_ + 1];
        at_ += 2;
        take_c1(static_cast<char>(control - '\x80' + '@'));
      } else if (begins_with_override(text_.substr(at_))) {
        at_ += 3;
      } else {
        ++at_;
        take_plain(c);
      }
    }
    return std::move(out_);
  }

 private:
  void take_plain(char c) {
    if (c == '\r') {
      const bool newline_follows = at_ < text_.size() && text_[at_] == '\n';
      if (!newline_follows) out_ += '\n';
    } else if (c == '\n' || c == '\t' || !(in_range(c, '\0', '\x1f') || c == '\x7f')) {
      out_ += c;
    }
  }

  void skip(char low, char high) {
    while (at_ < text_.size() && in_range(text_[at_], low, high)) ++at_;
  }

  void take_escape() {
    if (at_ >= text_.size()) return;
    const char kind = text_[at_];
    if (kind == '[' || kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
      ++at_;
      return take_c1(kind);
    }
    skip(' ', '/');
    if (at_ < text_.size() && in_range(text_[at_], '0', '~')) ++at_;
  }

  // `kind` is the character that follows ESC in the 7-bit form.
  void take_c1(char kind) {
    if (kind == '[') {
      skip('0', '?');
      skip(' ', '/');
      if (at_ < text_.size() && in_range(text_[at_], '@', '~')) ++at_;
    } else if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
      take_control_string();
    }
  }

  void take_control_string() {
    const std::size_t limit = std::min(text_.size(), at_ + kMaxSequence);
    for (std::size_t i = at_; i < limit; ++i) {
      const std::string_view rest = text_.substr(i, 2);
      const bool is_terminator = rest == "\x1b\\" || rest == "\xC2\x9C";
      if (rest[0] != '\a' && rest[0] != '\n' && rest[0] != kEscape && !is_terminator) continue;
      at_ = i;
      if (rest[0] == '\a') ++at_;
      if (is_terminator) at_ += 2;
      return;
    }
    if (limit == text_.size()) at_ = limit;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string plain_text(std::string_view raw) {
  inference::text::Utf8Repair repair;
  std::string text;
  text.reserve(raw.size());
  repair.push(raw, text);
  repair.finish(text);
  return ControlStripper(text).run();
}

std::string plain_line(std::string_view raw, std::size_t max_bytes) {
  // Escape sequences are dropped first, so four times the limit is enough for all but decorated text.
  const bool is_long = raw.size() > 4 * max_bytes;
  std::string line = plain_text(raw.substr(0, 4 * max_bytes));
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (line.size() <= max_bytes && !is_long) return line;
  line.resize(head_of(line, max_bytes).size());
  return line + "…";
}

std::string_view head_of(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && continues_character(text[max_bytes])) --max_bytes;
  return text.substr(0, max_bytes);
}

std::string_view tail_of(std::string_view text, std::size_t max_bytes) {
  std::size_t begin = text.size() - std::min(max_bytes, text.size());
  while (begin < text.size() && continues_character(text[begin])) ++begin;
  return text.substr(begin);
}

}  // namespace parley::orchestration::mcp
