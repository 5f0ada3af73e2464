#pragma once
// What a line of Markdown begins, by itself (CommonMark 0.31, and GitHub's tables). Pure functions, any
// thread. Lines come without their line end; all but fences may be indented as the caller allows.

#include <cstddef>
#include <optional>
#include <string_view>

#include "retrieval/documents/document.h"

namespace parley::retrieval::documents {

struct MarkdownFence {
  char mark = 0;  // '`' or '~'
  std::size_t length = 0;
};

struct MarkdownItem {
  std::size_t content_column = 0;  // where the item's text begins, and what belongs to it is indented to
  std::size_t content_offset = 0;  // the same in bytes; the line's size when the item is empty
  bool ordered = false;
  bool starts_at_one = false;
};

std::optional<MarkdownFence> markdown_fence(std::string_view line);
bool closes_fence(std::string_view line, const MarkdownFence& fence);
// Level 1 to 6 with the place of the words in the line; level 0: no heading.
int markdown_heading(std::string_view line, ByteRange& words);
int markdown_underline(std::string_view line);  // 1 for ===, 2 for ---, 0
bool is_thematic_break(std::string_view line);
std::optional<MarkdownItem> markdown_item(std::string_view line);
bool is_table_delimiter(std::string_view line);
std::size_t count_table_columns(std::string_view line);

}  // namespace parley::retrieval::documents
