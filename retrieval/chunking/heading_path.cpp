#include "retrieval/chunking/heading_path.h"

#include <algorithm>

#include "retrieval/chunking/text_breaks.h"

namespace parley::retrieval::chunking {
namespace {

// Each chunk carries its path, so both are bounded: a heading of a megabyte over a book must not be stored
// with every passage.
constexpr int kMaxLevel = 9;
constexpr std::size_t kMaxHeadingBytes = 200;
constexpr std::string_view kEllipsis = "…";

// A line that underlines (or overlines) another, as plain text, Markdown and reStructuredText do it.
bool is_rule(std::string_view line) {
  return !line.empty() && std::string_view("=-~^\"'*+#`_:.<>").find(line.front()) != std::string_view::npos &&
         line.find_first_not_of(line.front()) == std::string_view::npos;
}

// What a heading says, without the marks that make it one: rules, and the number signs of Markdown.
std::string heading_words(std::string_view heading) {
  std::string words;
  while (!heading.empty()) {
    const std::size_t end = std::min(heading.find('\n'), heading.size());
    const std::string_view line = trimmed(heading.substr(0, end));
    heading.remove_prefix(std::min(end + 1, heading.size()));
    if (!is_rule(line)) words.append(line).push_back('\n');
  }
  std::string_view rest = trimmed(words);
  const std::size_t marks = std::min(rest.find_first_not_of('#'), rest.size());
  if (marks > 0 && marks < rest.size() && is_space(rest[marks])) {
    rest = trimmed(rest.substr(marks));
    const std::size_t last = rest.find_last_not_of('#');
    if (last != std::string_view::npos && is_space(rest[last])) rest = trimmed(rest.substr(0, last));
  }
  return std::string(rest);
}

// On one line, without the white space around it.
std::string shown_heading(std::string_view heading) {
  const std::string words = heading_words(heading);
  std::string shown;
  for (const char byte : words) {
    if (shown.size() > kMaxHeadingBytes) {
      break;
    }
    if (!is_space(byte)) {
      shown.push_back(byte);
    } else if (shown.back() != ' ') {
      shown.push_back(' ');
    }
  }
  if (shown.size() > kMaxHeadingBytes) {
    std::size_t end = kMaxHeadingBytes - kEllipsis.size();
    while (end > 0 && (shown[end] & 0xC0) == 0x80) {
      --end;
    }
    shown.resize(end);
    shown += kEllipsis;
  }
  return shown;
}

}  // namespace

void HeadingPath::enter(int level, std::string_view heading) {
  level = std::clamp(level, 1, kMaxLevel);
  while (!entries_.empty() && entries_.back().level >= level) {
    entries_.pop_back();
  }
  entries_.push_back({.level = level, .text = shown_heading(heading)});
}

std::vector<std::string> HeadingPath::texts() const {
  std::vector<std::string> texts;
  texts.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    texts.push_back(entry.text);
  }
  return texts;
}

}  // namespace parley::retrieval::chunking
