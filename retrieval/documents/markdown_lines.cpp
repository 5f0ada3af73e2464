#include "retrieval/documents/markdown_lines.h"

#include <algorithm>

#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

std::size_t first_word(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

std::size_t run_length(std::string_view text, char mark) {
  return std::min(text.find_first_not_of(mark), text.size());
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == ' ' || text[at] == '\t';
}

// Bytes of "-", "12." and their like; 0: the text begins with none.
std::size_t marker_length(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == '-' || text.front() == '*' || text.front() == '+') return 1;
  constexpr std::size_t kMaxDigits = 9;
  std::size_t digits = 0;
  while (digits < text.size() && digits < kMaxDigits && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const bool ends = digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return ends ? digits + 1 : 0;
}

}  // namespace

std::optional<MarkdownFence> markdown_fence(std::string_view line) {
  const std::string_view text = line.substr(first_word(line));
  if (text.empty() || (text.front() != '`' && text.front() != '~')) return std::nullopt;
  const MarkdownFence fence = {text.front(), run_length(text, text.front())};
  if (fence.length < 3) return std::nullopt;
  const bool is_code_span = fence.mark == '`' && text.find('`', fence.length) != std::string_view::npos;
  return is_code_span ? std::nullopt : std::optional(fence);
}

bool closes_fence(std::string_view line, const MarkdownFence& fence) {
  const std::string_view text = trimmed(line);
  return text.size() >= fence.length && text.find_first_not_of(fence.mark) == std::string_view::npos;
}

int markdown_heading(std::string_view line, ByteRange& words) {
  const std::size_t begin = first_word(line);
  const std::size_t level = run_length(line.substr(begin), '#');
  constexpr std::size_t kMaxLevel = 6;
  if (level == 0 || level > kMaxLevel || !ends_word(line, begin + level)) return 0;
  words = trimmed(line, {begin + level, line.size()});
  std::size_t end = words.end;
  while (end > words.begin && line[end - 1] == '#') --end;
  // A closing run of '#' counts when it stands alone.
  if (end == words.begin || line[end - 1] == ' ' || line[end - 1] == '\t') words.end = end;
  words = trimmed(line, words);
  return static_cast<int>(level);
}

int markdown_underline(std::string_view line) {
  const std::string_view mark = trimmed(line);
  if (mark.empty() || (mark.front() != '=' && mark.front() != '-')) return 0;
  if (run_length(mark, mark.front()) != mark.size()) return 0;
  return mark.front() == '=' ? 1 : 2;
}

bool is_thematic_break(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.empty() || (text.front() != '-' && text.front() != '*' && text.front() != '_')) return false;
  std::size_t marks = 0;
  for (const char c : text) {
    if (c == text.front()) {
      ++marks;
    } else if (c != ' ' && c != '\t') {
      return false;
    }
  }
  return marks >= 3;
}

std::optional<MarkdownItem> markdown_item(std::string_view line) {
  const std::size_t begin = first_word(line);
  const std::string_view text = line.substr(begin);
  const std::size_t marker = marker_length(text);
  if (marker == 0 || !ends_word(text, marker)) return std::nullopt;
  MarkdownItem item;
  item.ordered = marker > 1;
  item.starts_at_one = item.ordered && text.substr(0, marker - 1) == "1";
  const std::string_view rest = text.substr(marker);
  const std::size_t spaces = indent_of(rest);
  const bool blank = is_blank(rest);
  constexpr std::size_t kMaxSpaces = 4;  // more of them begin indented code in the item
  item.content_column = indent_of(line) + marker + (blank || spaces > kMaxSpaces ? 1 : spaces);
  item.content_offset = blank ? line.size() : begin + marker + first_word(rest);
  return item;
}

bool is_table_delimiter(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.find('|') == std::string_view::npos || text.find('-') == std::string_view::npos) return false;
  bool cell_has_dash = false, cell_done = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '|') {
      if (i > 0 && !cell_has_dash) return false;
      cell_has_dash = cell_done = false;
    } else if (c == '-') {
      if (cell_done) return false;
      cell_has_dash = true;
    } else if (c == ':' || c == ' ' || c == '\t') {
      cell_done = cell_has_dash;
    } else {
      return false;
    }
  }
  return text.back() == '|' || cell_has_dash;
}

std::size_t count_table_columns(std::string_view line) {
  std::string_view text = trimmed(line);
  if (text.starts_with('|')) text.remove_prefix(1);
  std::size_t columns = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '|' && i + 1 < text.size()) {
      ++columns;
    }
  }
  return columns;
}

}  // namespace parley::retrieval::documents
