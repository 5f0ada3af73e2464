// Markdown line by line. The text stays as it is; what its inline marks mean is left to whoever reads it.
#include <algorithm>
#include <string>
#include <utility>

#include "retrieval/documents/markdown_lines.h"
#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::size_t kCodeIndent = 4;

class MarkdownScan {
 public:
  MarkdownScan(std::string_view text, const ReadLimits& limits)
      : text_(text), max_depth_(static_cast<std::size_t>(limits.max_depth)), blocks_(text, limits) {}

  std::vector<Block> run(std::size_t begin) {
    if (begin > 0) blocks_.add(BlockKind::code, {0, begin});
    line_ = line_at(text_, begin);
    while (line_.begin < text_.size()) take_line();
    flush(text_.size());
    return blocks_.take();
  }

 private:
  std::string_view words() const { return text_of(text_, line_); }
  void advance() { line_ = line_at(text_, line_.next); }
  std::size_t base() const { return item_columns_.empty() ? 0 : item_columns_.back(); }
  bool is_open() const { return num_lines_ > 0; }

  void take_line() {
    const std::string_view line = words();
    if (is_blank(line)) {
      flush(line_.begin);
      advance();
      return;
    }
    const std::size_t indent = indent_of(line);
    if (indent < base() && !(is_open() && continues_paragraph(line, indent))) leave_items(indent);
    if (take_whole_block(line, indent)) return;
    if (!is_open()) open(BlockKind::paragraph, 0);
    ++num_lines_;
    advance();
  }

  // A line that belongs to the open paragraph although it is not indented as far ("lazy continuation").
  bool continues_paragraph(std::string_view line, std::size_t indent) const {
    ByteRange unused;
    return indent >= kCodeIndent ||
           !(markdown_fence(line) || markdown_heading(line, unused) > 0 || is_thematic_break(line) ||
             markdown_item(line) || trimmed(line)[0] == '>');
  }

  void leave_items(std::size_t indent) {
    flush(line_.begin);
    while (!item_columns_.empty() && indent < item_columns_.back()) item_columns_.pop_back();
  }

  bool take_whole_block(std::string_view line, std::size_t indent) {
    const std::size_t inner = indent >= base() ? indent - base() : 0;
    if (inner >= kCodeIndent) return !is_open() && take_indented_code();
    return take_underline(line, indent) || take_heading(line) || take_fence(line, line_.begin) ||
           take_break(line) || take_item(line) || take_quote(line) || take_raw_html(line) || take_table(line);
  }

  bool take_indented_code() {
    const std::size_t begin = line_.begin, wanted = base() + kCodeIndent;
    std::size_t end = begin;
    while (line_.begin < text_.size() && (is_blank(words()) || indent_of(words()) >= wanted)) {
      if (!is_blank(words())) end = line_.end;
      advance();
    }
    blocks_.add(BlockKind::code, {begin, end});
    return true;
  }

  bool take_underline(std::string_view line, std::size_t indent) {
    const int level = markdown_underline(line);
    if (level == 0 || !is_open() || kind_ != BlockKind::paragraph || indent < base()) return false;
    blocks_.add(BlockKind::heading, {begin_, line_.end}, level, {begin_, line_.begin});
    num_lines_ = 0;
    advance();
    return true;
  }

  bool take_heading(std::string_view line) {
    ByteRange place;
    const int level = markdown_heading(line, place);
    if (level == 0) return false;
    flush(line_.begin);
    blocks_.add(BlockKind::heading, {line_.begin, line_.end}, level,
                {line_.begin + place.begin, line_.begin + place.end});
    advance();
    return true;
  }

  bool take_fence(std::string_view opening, std::size_t begin) {
    const std::optional<MarkdownFence> fence = markdown_fence(opening);
    if (!fence) return false;
    flush(begin);
    std::size_t end = line_.end;
    for (advance(); line_.begin < text_.size(); advance()) {
      // A fence ends with the item that it is in.
      if (!is_blank(words()) && indent_of(words()) < base()) break;
      end = line_.end;
      if (closes_fence(words(), *fence) && indent_of(words()) < base() + kCodeIndent) {
        advance();
        break;
      }
    }
    blocks_.add(BlockKind::code, {begin, end});
    return true;
  }

  bool take_break(std::string_view line) {
    if (!is_thematic_break(line)) return false;
    flush(line_.begin);
    blocks_.add(BlockKind::paragraph, {line_.begin, line_.end});
    advance();
    return true;
  }

  bool take_item(std::string_view line) {
    const std::optional<MarkdownItem> item = markdown_item(line);
    if (!item || item_columns_.size() >= max_depth_) return false;
    const bool empty = item->content_offset == line.size();
    const bool in_paragraph = is_open() && kind_ == BlockKind::paragraph && item_columns_.empty();
    if (in_paragraph && (empty || (item->ordered && !item->starts_at_one))) return false;
    flush(line_.begin);
    item_columns_.push_back(item->content_column);
    if (take_fence(line.substr(item->content_offset), line_.begin)) return true;
    open(BlockKind::list_item, static_cast<int>(item_columns_.size()));
    ++num_lines_;
    advance();
    return true;
  }

  bool take_quote(std::string_view line) {
    if (trimmed(line)[0] != '>') return false;
    flush(line_.begin);
    const std::size_t begin = line_.begin;
    std::size_t end = begin;
    bool may_continue = false;
    while (line_.begin < text_.size() && !is_blank(words())) {
      const bool marked = trimmed(words())[0] == '>';
      if (!marked && !(may_continue && continues_paragraph(words(), indent_of(words())))) break;
      may_continue = !marked || may_be_continued(trimmed(trimmed(words()).substr(1)));
      end = line_.end;
      advance();
    }
    blocks_.add(BlockKind::quote, {begin, end});
    return true;
  }

  static bool may_be_continued(std::string_view line) {
    ByteRange unused;
    return !line.empty() && !markdown_fence(line) && markdown_heading(line, unused) == 0 &&
           !is_thematic_break(line);
  }

  // Comments and verbatim elements may hold blank lines and what looks like Markdown.
  bool take_raw_html(std::string_view line) {
    constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
        {"<!--", "-->"}, {"<pre", "</pre>"}, {"<script", "</script>"}, {"<style", "</style>"}};
    for (const auto& [opening, closing] : kKinds) {
      if (!trimmed(line).starts_with(opening)) continue;
      if (is_open() && opening != "<!--") return false;
      flush(line_.begin);
      const std::size_t at = text_.find(closing, line_.begin + opening.size());
      const TextLine last = line_at(text_, at == std::string_view::npos ? text_.size() : at);
      blocks_.add(opening == "<pre" ? BlockKind::code : BlockKind::paragraph, {line_.begin, last.end});
      line_ = line_at(text_, last.next);
      return true;
    }
    return false;
  }

  bool take_table(std::string_view line) {
    if (num_lines_ != 1 || kind_ == BlockKind::quote || !is_table_delimiter(line)) return false;
    const std::string_view header = text_.substr(begin_, line_.begin - 1 - begin_);
    if (header.find('|') == std::string_view::npos) return false;
    if (count_table_columns(header) != count_table_columns(line)) return false;
    blocks_.add(BlockKind::table_header, {begin_, line_.end});
    num_lines_ = 0;
    for (advance(); line_.begin < text_.size() && !is_blank(words()); advance()) {
      if (!continues_paragraph(words(), indent_of(words()))) break;
      blocks_.add(BlockKind::table_row, {line_.begin, line_.end});
    }
    return true;
  }

  void open(BlockKind kind, int level) {
    kind_ = kind;
    level_ = level;
    begin_ = line_.begin;
  }

  void flush(std::size_t end) {
    if (is_open()) blocks_.add(kind_, {begin_, end}, level_);
    num_lines_ = 0;
  }

  std::string_view text_;
  std::size_t max_depth_;
  SourceBlocks blocks_;
  TextLine line_;
  std::vector<std::size_t> item_columns_;  // of the items that are open, outermost first
  // The block that is open: a paragraph or an item.
  BlockKind kind_ = BlockKind::paragraph;
  int level_ = 0;
  std::size_t begin_ = 0;
  std::size_t num_lines_ = 0;
};

// Where the text behind front matter (between --- and --- at the very beginning) begins; 0: there is none.
std::size_t after_front_matter(std::string_view text) {
  TextLine line = line_at(text, 0);
  if (text_of(text, line) != "---") return 0;
  constexpr int kMaxLines = 200;
  line = line_at(text, line.next);
  if (is_blank(text_of(text, line))) return 0;
  for (int i = 0; i < kMaxLines && line.begin < text.size(); ++i, line = line_at(text, line.next)) {
    const std::string_view words = text_of(text, line);
    if (words == "---" || words == "...") return line.next;
  }
  return 0;
}

std::string front_matter_title(std::string_view matter) {
  for (TextLine line = line_at(matter, 0); line.begin < matter.size(); line = line_at(matter, line.next)) {
    std::string_view words = text_of(matter, line);
    if (!words.starts_with("title:")) continue;
    words = trimmed(words.substr(6));
    const bool quoted =
        words.size() > 1 && words.front() == words.back() && (words[0] == '"' || words[0] == '\'');
    return std::string(quoted ? words.substr(1, words.size() - 2) : words);
  }
  return "";
}

std::string markdown_title(std::string_view text, const std::vector<Block>& blocks) {
  std::string title = front_matter_title(text.substr(0, after_front_matter(text)));
  if (!title.empty()) return title;
  const auto heading = std::find_if(blocks.begin(), blocks.end(), [](const Block& block) {
    return block.kind == BlockKind::heading && block.level == 1;
  });
  if (heading == blocks.end()) return "";
  title = text_of(text, heading->words);
  std::replace(title.begin(), title.end(), '\n', ' ');
  return title;
}

}  // namespace

std::vector<Block> markdown_blocks(std::string_view text, const ReadLimits& limits) {
  return MarkdownScan(text, limits).run(after_front_matter(text));
}

ReadOutcome read_markdown(TextInput input, const ReadLimits& limits) {
  SourceDocument source;
  source.blocks = markdown_blocks(input.decoded.text, limits);
  source.title = markdown_title(input.decoded.text, source.blocks);
  source.media_type = std::move(input.media_type);
  source.input = std::move(input.decoded);
  return source_outcome(std::move(source));
}

}  // namespace parley::retrieval::documents
