// reStructuredText line by line. The text stays as it is.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

// The mark of a line that is one punctuation character again and again; 0: it is none.
char adornment_of(std::string_view line) {
  const std::string_view mark = trimmed(line);
  constexpr std::string_view kMarks = "=-`:.'\"~^_*+#<>!$%&(),/;?@[\\]{|}";
  if (mark.size() < 2 || kMarks.find(mark.front()) == std::string_view::npos) return 0;
  return mark.find_first_not_of(mark.front()) == std::string_view::npos ? mark.front() : '\0';
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_rst_item(std::string_view line) {
  const std::string_view text = trimmed(line);
  for (const std::string_view bullet : {"- ", "* ", "+ ", "#. ", "\xE2\x80\xA2 "}) {
    if (text.starts_with(bullet)) return true;
  }
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
  return digits > 0 && digits < 4 && digits + 1 < text.size() &&
         (text[digits] == '.' || text[digits] == ')') && text[digits + 1] == ' ';
}

bool is_grid_border(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.size() > 2 && text.front() == '+' && text.back() == '+' &&
         text.find_first_not_of("+-=") == std::string_view::npos;
}

// "=====  ====": the border of a simple table has at least two columns.
bool is_simple_border(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with("==") && text.find(' ') != std::string_view::npos &&
         text.find_first_not_of("= ") == std::string_view::npos;
}

bool is_code_directive(std::string_view line) {
  const std::string_view text = trimmed(line);
  for (const std::string_view name :
       {".. code-block::", ".. code::", ".. sourcecode::", ".. highlight::", ".. parsed-literal::",
        ".. literalinclude::", ".. math::", ".. doctest::"}) {
    if (text.starts_with(name)) return true;
  }
  return false;
}

class RstScan {
 public:
  RstScan(std::string_view text, const ReadLimits& limits) : text_(text), blocks_(text, limits) {}

  std::vector<Block> run() {
    line_ = line_at(text_, 0);
    while (line_.begin < text_.size()) take_block();
    return blocks_.take();
  }

 private:
  std::string_view words() const { return text_of(text_, line_); }
  bool at_end() const { return line_.begin >= text_.size(); }
  void advance() { line_ = line_at(text_, line_.next); }

  void take_block() {
    if (is_blank(words())) {
      advance();
    } else if (take_heading() || take_grid_table() || take_simple_table() || take_code_directive()) {
      return;
    } else if (is_rst_item(words())) {
      take_item();
    } else {
      take_paragraph();
    }
  }

  bool take_heading() {
    const bool over = adornment_of(words()) != 0;
    const TextLine first = line_;
    const TextLine title = over ? line_at(text_, line_.next) : line_;
    const TextLine under = line_at(text_, title.next);
    if (under.begin >= text_.size() || is_blank(text_of(text_, title))) return false;
    const char mark = adornment_of(text_of(text_, under));
    if (mark == 0 || (over && mark != adornment_of(text_of(text_, first)))) return false;
    if (!over && indent_of(text_of(text_, title)) > 0) return false;
    if (adornment_of(text_of(text_, title)) != 0) return false;
    const std::size_t title_width = characters_of(trimmed(text_of(text_, title)));
    const std::size_t mark_width = trimmed(text_of(text_, under)).size();
    // docutils takes an underline that is too short with a warning from four characters on.
    if (mark_width < title_width && mark_width < 4) return false;
    blocks_.add(BlockKind::heading, {first.begin, under.end}, level_of(mark, over), {title.begin, title.end});
    line_ = line_at(text_, under.next);
    return true;
  }

  // Levels are in the order in which the file first uses each style.
  int level_of(char mark, bool over) {
    const std::pair<char, bool> style(mark, over);
    auto found = std::find(styles_.begin(), styles_.end(), style);
    if (found == styles_.end()) found = styles_.insert(styles_.end(), style);
    return static_cast<int>(found - styles_.begin()) + 1;
  }

  bool take_grid_table() {
    if (!is_grid_border(words())) return false;
    const std::size_t begin = line_.begin;
    bool header = has_grid_header();
    std::size_t row = begin;
    for (advance(); !at_end() && !is_blank(words()); advance()) {
      if (!is_grid_border(words())) continue;
      blocks_.add(header ? BlockKind::table_header : BlockKind::table_row, {row, line_.end});
      if (words().find('=') != std::string_view::npos) header = false;
      row = line_.next;
    }
    blocks_.add(BlockKind::table_row, {row, line_.begin});
    return true;
  }

  // A border of '=' is below a grid table's header.
  bool has_grid_header() const {
    for (TextLine line = line_; line.begin < text_.size(); line = line_at(text_, line.next)) {
      const std::string_view border = text_of(text_, line);
      if (is_blank(border)) return false;
      if (is_grid_border(border) && border.find('=') != std::string_view::npos) return true;
    }
    return false;
  }

  bool take_simple_table() {
    if (!is_simple_border(words())) return false;
    std::vector<TextLine> borders = {line_};
    for (TextLine line = line_at(text_, line_.next); line.begin < text_.size();
         line = line_at(text_, line.next)) {
      const bool blank_after =
          line.next >= text_.size() || is_blank(text_of(text_, line_at(text_, line.next)));
      if (is_simple_border(text_of(text_, line))) borders.push_back(line);
      if (is_blank(text_of(text_, line)) && borders.size() < 2) return false;
      if (borders.size() == 3 || (borders.back().begin == line.begin && blank_after)) break;
    }
    if (borders.size() < 2) return false;
    const bool has_header = borders.size() == 3;
    if (has_header) blocks_.add(BlockKind::table_header, {borders[0].begin, borders[1].end});
    const TextLine& last = borders.back();
    std::size_t row = has_header ? borders[1].next : borders[0].begin;
    line_ = line_at(text_, has_header ? borders[1].next : borders[0].next);
    for (; line_.begin < last.begin; advance()) {
      const TextLine next = line_at(text_, line_.next);
      // A row goes on where the first column is empty; the last one takes the closing border along.
      if (next.begin >= last.begin || indent_of(text_of(text_, next)) > 0) continue;
      blocks_.add(BlockKind::table_row, {row, line_.end});
      row = line_.next;
    }
    blocks_.add(BlockKind::table_row, {row, last.end});
    line_ = line_at(text_, last.next);
    return true;
  }

  bool take_code_directive() {
    if (!is_code_directive(words())) return false;
    const std::size_t begin = line_.begin, indent = indent_of(words());
    advance();
    blocks_.add(BlockKind::code, {begin, end_of_indented(indent)});
    return true;
  }

  // Leaves `line_` at the first line that is not blank and not indented further than `indent`.
  std::size_t end_of_indented(std::size_t indent) {
    std::size_t end = line_.begin;
    while (!at_end() && (is_blank(words()) || indent_of(words()) > indent)) {
      if (!is_blank(words())) end = line_.end;
      advance();
    }
    return end;
  }

  void take_item() {
    const std::size_t begin = line_.begin, indent = indent_of(words());
    int level = 1;
    while (!item_indents_.empty() && item_indents_.back() > indent) item_indents_.pop_back();
    if (item_indents_.empty() || item_indents_.back() < indent) item_indents_.push_back(indent);
    level = static_cast<int>(item_indents_.size());
    std::size_t end = line_.end;
    for (advance(); !at_end() && !is_blank(words()) && !is_rst_item(words()); advance()) end = line_.end;
    blocks_.add(BlockKind::list_item, {begin, end}, level);
    take_literal_after(text_.substr(begin, end - begin), indent);
  }

  void take_paragraph() {
    const std::size_t begin = line_.begin, indent = indent_of(words());
    if (indent == 0) item_indents_.clear();
    std::size_t end = line_.end;
    for (advance(); !at_end() && !is_blank(words()); advance()) end = line_.end;
    blocks_.add(BlockKind::paragraph, {begin, end});
    take_literal_after(text_.substr(begin, end - begin), indent);
  }

  // "::" at the end of a paragraph says that the indented text behind it is literal.
  void take_literal_after(std::string_view paragraph, std::size_t indent) {
    if (!trimmed(paragraph).ends_with("::") || trimmed(paragraph).starts_with(".. ")) return;
    while (!at_end() && is_blank(words())) advance();
    const std::size_t begin = line_.begin;
    if (!at_end() && indent_of(words()) > indent)
      blocks_.add(BlockKind::code, {begin, end_of_indented(indent)});
  }

  std::string_view text_;
  SourceBlocks blocks_;
  TextLine line_;
  std::vector<std::pair<char, bool>> styles_;
  std::vector<std::size_t> item_indents_;
};

}  // namespace

ReadOutcome read_rst(TextInput input, const ReadLimits& limits) {
  SourceDocument source;
  source.blocks = RstScan(input.decoded.text, limits).run();
  const auto heading = std::find_if(source.blocks.begin(), source.blocks.end(),
                                    [](const Block& block) { return block.kind == BlockKind::heading; });
  if (heading != source.blocks.end()) source.title = text_of(input.decoded.text, heading->words);
  source.media_type = std::move(input.media_type);
  source.input = std::move(input.decoded);
  return source_outcome(std::move(source));
}

}  // namespace parley::retrieval::documents
