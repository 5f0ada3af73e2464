// Plain text: paragraphs between blank lines, headings that are underlined, items of lists; and source code,
// whose stretches between blank lines are kept as they are.
#include <algorithm>
#include <cctype>
#include <utility>

#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

// 1 for a line of ===, 2 of ---, 3 of ~~~ or ^^^; 0: the line is none.
int underline_level(std::string_view line) {
  const std::string_view mark = trimmed(line);
  if (mark.size() < 3 || mark.find_first_not_of(mark.front()) != std::string_view::npos) return 0;
  switch (mark.front()) {
    case '=':
      return 1;
    case '-':
      return 2;
    case '~':
    case '^':
      return 3;
    default:
      return 0;
  }
}

// Characters, not bytes: what an underline is as long as.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool underlines(std::string_view mark, std::string_view title) {
  const std::size_t title_width = width_of(trimmed(title));
  const std::size_t mark_width = trimmed(mark).size();
  return mark_width + 3 >= title_width && mark_width <= title_width + 20 && underline_level(title) == 0;
}

bool begins_item(std::string_view line) {
  const std::string_view text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  for (const std::string_view bullet : {"- ", "* ", "+ ", "\xE2\x80\xA2 "}) {
    if (text.starts_with(bullet)) return true;
  }
  std::size_t digits = 0;
  while (digits < text.size() && digits < 4 && std::isdigit(static_cast<unsigned char>(text[digits])) != 0)
    ++digits;
  return digits > 0 && digits + 1 < text.size() && (text[digits] == '.' || text[digits] == ')') &&
         text[digits + 1] == ' ';
}

class PlainTextScan {
 public:
  PlainTextScan(std::string_view text, const ReadLimits& limits) : text_(text), blocks_(text, limits) {}

  std::vector<Block> run() {
    for (TextLine line = line_at(text_, 0); line.begin < text_.size(); line = line_at(text_, line.next)) {
      take(line);
    }
    flush(text_.size());
    return blocks_.take();
  }

 private:
  void take(const TextLine& line) {
    const std::string_view words = text_of(text_, line);
    if (is_blank(words)) {
      flush(line.begin);
      return;
    }
    const int level = underline_level(words);
    if (level > 0 && num_lines_ == 1 && !in_item_ && underlines(words, text_of(text_, first_))) {
      blocks_.add(BlockKind::heading, {first_.begin, line.end}, level, {first_.begin, first_.end});
      num_lines_ = 0;
      return;
    }
    if (begins_item(words) && (num_lines_ == 0 || in_item_)) {
      flush(line.begin);
      in_item_ = true;
    }
    if (num_lines_++ == 0) first_ = line;
  }

  void flush(std::size_t end) {
    if (num_lines_ > 0) {
      blocks_.add(in_item_ ? BlockKind::list_item : BlockKind::paragraph, {first_.begin, end},
                  in_item_ ? 1 : 0);
    }
    num_lines_ = 0;
    in_item_ = false;
  }

  std::string_view text_;
  SourceBlocks blocks_;
  TextLine first_;  // of the block that is open
  std::size_t num_lines_ = 0;
  bool in_item_ = false;
};

}  // namespace

std::vector<Block> plain_text_blocks(std::string_view text, const ReadLimits& limits) {
  return PlainTextScan(text, limits).run();
}

ReadOutcome read_plain_text(TextInput input, const ReadLimits& limits) {
  SourceDocument source;
  source.blocks = plain_text_blocks(input.decoded.text, limits);
  source.title = leading_heading(input.decoded.text, source.blocks);
  source.media_type = std::move(input.media_type);
  source.input = std::move(input.decoded);
  return source_outcome(std::move(source));
}

ReadOutcome read_source_code(TextInput input, const ReadLimits& limits) {
  SourceBlocks blocks(input.decoded.text, limits);
  blocks.add_stretches(BlockKind::code, {0, input.decoded.text.size()});
  SourceDocument source;
  source.blocks = blocks.take();
  source.media_type = std::move(input.media_type);
  source.input = std::move(input.decoded);
  return source_outcome(std::move(source));
}

}  // namespace parley::retrieval::documents
