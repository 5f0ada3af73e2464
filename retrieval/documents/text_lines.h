#pragma once
// A text line by line, with places; nothing is copied and no list is made, since a text may be all line ends.
// Pure functions, any thread.

#include <cstddef>
#include <string_view>

#include "retrieval/documents/document.h"

namespace parley::retrieval::documents {

struct TextLine {
  std::size_t begin = 0;
  std::size_t end = 0;   // without its line end
  std::size_t next = 0;  // where the line behind it begins; the text's size: there is none
};

inline TextLine line_at(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find('\n', begin);
  if (end == std::string_view::npos) return {begin, text.size(), text.size()};
  return {begin, end, end + 1};
}

inline std::string_view text_of(std::string_view text, const TextLine& line) {
  return text.substr(line.begin, line.end - line.begin);
}

inline std::string_view text_of(std::string_view text, ByteRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

// White space in the sense of document.h: what may lie between blocks. Text is normalised, so no other
// exists.
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

inline bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

// Without white space at both ends; an empty range at `begin` when there is nothing else.
inline ByteRange trimmed(std::string_view text, ByteRange range) {
  while (range.end > range.begin && is_space(text[range.end - 1])) --range.end;
  while (range.begin < range.end && is_space(text[range.begin])) ++range.begin;
  return range;
}

inline std::string_view trimmed(std::string_view text) {
  return text_of(text, trimmed(text, {0, text.size()}));
}

// Columns of white space before the line's first other character; a tab goes to the next multiple of four.
inline std::size_t indent_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == ' ') {
      ++columns;
    } else if (c == '\t') {
      columns += 4 - columns % 4;
    } else {
      break;
    }
  }
  return columns;
}

}  // namespace parley::retrieval::documents
