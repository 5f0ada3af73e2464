#include "orchestration/tools/clean_output.h"

#include <algorithm>

#include "inference/text/utf8_repair.h"

namespace parley::orchestration::tools {
namespace {

constexpr char kEscape = '\x1b';

bool in_range(char c, char low, char high) { return c >= low && c <= high; }

// Takes the terminal sequences of ECMA-48 out of UTF-8 text. Those that run to a terminator end with their
// line too, so that one that never ends does not swallow the rest.
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
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const std::string_view rest = text_.substr(at_);
      if (rest[0] == '\a') {
        ++at_;
        return;
      }
      if (rest.substr(0, 2) == "\x1b\\" || rest.substr(0, 2) == "\xC2\x9C") {
        at_ += 2;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string replaced(const std::string& text, const std::string& secret) {
  constexpr std::string_view kRedacted = "[redacted]";
  std::string out;
  std::size_t begin = 0;
  for (std::size_t found = text.find(secret); found != std::string::npos; found = text.find(secret, begin)) {
    out.append(text, begin, found - begin);
    out += kRedacted;
    begin = found + secret.size();
  }
  out.append(text, begin);
  return out;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string without_controls(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  inference::text::Utf8Repair repair;
  repair.push(bytes, text);
  repair.finish(text);
  return ControlStripper(text).run();
}

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  std::vector<std::string> longest_first = secrets;
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  for (const std::string& secret : longest_first) {
    if (!secret.empty() && text.find(secret) != std::string::npos) text = replaced(text, secret);
  }
  return text;
}

CutText head_and_tail(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return {.text = std::move(text), .cut_bytes = 0};
  std::size_t head = max_bytes - max_bytes / 2;
  while (head > 0 && is_continuation(text[head])) --head;
  std::size_t tail = text.size() - max_bytes / 2;
  while (tail < text.size() && is_continuation(text[tail])) ++tail;
  CutText cut;
  cut.cut_bytes = tail - head;
  cut.text = text.substr(0, head) + "\n\xE2\x80\xA6 " + std::to_string(cut.cut_bytes) +
             " bytes cut \xE2\x80\xA6\n" + text.substr(tail);
  return cut;
}

CutText clean_output(std::string_view bytes, std::size_t max_bytes, const std::vector<std::string>& secrets) {
  return head_and_tail(redacted(without_controls(bytes), secrets), max_bytes);
}

}  // namespace parley::orchestration::tools
