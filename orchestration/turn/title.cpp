#include "orchestration/turn/title.h"

#include <algorithm>
#include <cstddef>

#include "inference/tokenizer/utf8.h"

namespace parley::orchestration::turn {
namespace {

using inference::tokenizer::first_utf8_part;
using inference::tokenizer::Utf8Kind;
using inference::tokenizer::Utf8Part;

constexpr std::size_t kMaxCharacters = 60;
constexpr std::size_t kLongestWordTail = 20;  // a cut word costs at most so many characters
constexpr std::string_view kEllipsis = "\u2026";

bool is_blank(char32_t code) {
  return code <= 0x20 || code == 0x7f || (code >= 0x80 && code < 0xa1) || code == 0x3000;
}

bool shows(const Utf8Part& part) { return part.kind == Utf8Kind::character && !is_blank(part.code_point); }

// Belongs to the character before it.
bool extends_previous(char32_t code) {
  return (code >= 0x0300 && code < 0x0370) || (code >= 0x1ab0 && code < 0x1b00) ||
         (code >= 0x1dc0 && code < 0x1e00) || (code >= 0x20d0 && code < 0x2100) || code == 0x200d ||
         (code >= 0xfe00 && code < 0xfe10) || (code >= 0xfe20 && code < 0xfe30) ||
         (code >= 0x1f3fb && code < 0x1f400) || (code >= 0xe0020 && code < 0xe0080);
}

constexpr char32_t kJoiner = 0x200d;

bool is_flag_half(char32_t code) { return code >= 0x1f1e6 && code < 0x1f200; }

struct Cut {
  std::size_t characters = 0;
  std::size_t bytes = 0;
};

// The last word border and the last border between whole characters within the limit.
std::size_t place_to_cut(std::string_view title) {
  Cut word;
  Cut whole;
  Cut here;
  char32_t previous = 0;
  while (here.bytes < title.size() && here.characters <= kMaxCharacters) {
    const Utf8Part part = first_utf8_part(title.substr(here.bytes));
    if (part.kind != Utf8Kind::character) break;
    const bool inside = extends_previous(part.code_point) || previous == kJoiner ||
                        (is_flag_half(previous) && is_flag_half(part.code_point));
    if (!inside) whole = here;
    if (part.code_point == ' ') word = here;
    here.bytes += part.length;
    ++here.characters;
    previous = part.code_point;
  }
  if (here.bytes == title.size() && here.characters <= kMaxCharacters) return title.size();
  if (whole.bytes == 0) return here.bytes;  // one character under a heap of accents
  return word.characters + kLongestWordTail >= whole.characters && word.bytes > 0 ? word.bytes : whole.bytes;
}

std::string_view first_line_with_text(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (has_text(line)) return line;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return text;
}

}  // namespace

bool has_text(std::string_view text) {
  while (!text.empty()) {
    const Utf8Part part = first_utf8_part(text);
    if (shows(part)) return true;
    text.remove_prefix(part.length);
  }
  return false;
}

std::string tidy_title(std::string_view title) {
  std::string tidy;
  bool gap = false;
  while (!title.empty()) {
    const Utf8Part part = first_utf8_part(title);
    if (!shows(part)) {
      gap = true;
    } else {
      if (gap && !tidy.empty()) tidy.push_back(' ');
      gap = false;
      tidy.append(title.substr(0, part.length));
    }
    title.remove_prefix(part.length);
  }
  return tidy;
}

std::string title_from(std::string_view message) {
  // No more is looked at than could matter: a message may have a megabyte in one line.
  std::string title = tidy_title(first_line_with_text(message).substr(0, 4096));
  const std::size_t end = place_to_cut(title);
  if (end == title.size()) return title;
  return title.substr(0, end).append(kEllipsis);
}

}  // namespace parley::orchestration::turn
