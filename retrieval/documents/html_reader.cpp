// HTML as a browser would show it, less scripts, styles and navigation.
#include <gumbo.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/documents/html_text.h"
#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

using GumboTree = std::unique_ptr<GumboOutput, void (*)(GumboOutput*)>;

void destroy_tree(GumboOutput* output) { gumbo_destroy_output(&kGumboDefaultOptions, output); }

class HtmlWalk {
 public:
  HtmlWalk(BlockWriter& writer, const std::string& html) : writer_(writer), html_(html) {}

  void run(const GumboNode& root) {
    walk(root);
    flush();
  }
  std::string title() && { return std::move(title_); }

 private:
  void walk(const GumboNode& node) {
    if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE || node.type == GUMBO_NODE_CDATA) {
      take_text(node.v.text);
    } else if (node.type == GUMBO_NODE_ELEMENT) {
      take_element(node);
    }
  }

  void walk_children(const GumboNode& node) {
    const GumboVector& children = node.v.element.children;
    for (unsigned i = 0; i < children.length && !writer_.over_limit(); ++i) {
      walk(*static_cast<const GumboNode*>(children.data[i]));
    }
  }

  void take_text(const GumboText& node) {
    const std::string_view text = node.text;
    if (verbatim_) {
      text_ += text;
    } else {
      append_collapsed(text_, text);
    }
    if (is_blank(text)) return;
    // A piece of the source; but for what stands outside of it (text that the parser has made).
    const char* begin = node.original_text.data;
    if (begin < html_.data() || begin >= html_.data() + html_.size()) return;
    const auto at = static_cast<std::size_t>(begin - html_.data());
    const std::size_t end = std::min(html_.size(), at + node.original_text.length);
    if (begin_ == kNothing || at < begin_) begin_ = at;
    end_ = std::max(end_, end);
  }

  void take_element(const GumboNode& node) {
    const GumboTag tag = node.v.element.tag;
    if (tag == GUMBO_TAG_HEAD) {
      take_title(node);
    } else if (is_skipped_element(node)) {
      return;
    } else if (tag == GUMBO_TAG_BR) {
      text_ += '\n';
    } else if (tag == GUMBO_TAG_IMG) {
      append_collapsed(text_, html_attribute(node, "alt"));
    } else if (tag == GUMBO_TAG_TABLE && !is_layout_table(node)) {
      flush();
      take_rows(node);
    } else if (is_block_element(tag)) {
      take_block(node, tag);
    } else {
      walk_children(node);
    }
  }

  void take_block(const GumboNode& node, GumboTag tag) {
    flush();
    const Frame outer = frame_;
    const bool was_verbatim = verbatim_;
    if (const int level = html_heading_level(tag); level > 0) {
      frame_ = {BlockKind::heading, level};
    } else if (tag == GUMBO_TAG_LI) {
      frame_ = {BlockKind::list_item, std::max(lists_, 1)};
    } else if (tag == GUMBO_TAG_PRE || tag == GUMBO_TAG_XMP || tag == GUMBO_TAG_LISTING) {
      frame_ = {BlockKind::code, 0};
      verbatim_ = true;
    } else if (tag == GUMBO_TAG_BLOCKQUOTE) {
      frame_ = {BlockKind::quote, 0};
    } else if (tag == GUMBO_TAG_DD || tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH || tag == GUMBO_TAG_DT) {
      frame_ = {BlockKind::paragraph, 0};
    }
    const bool is_list = tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL || tag == GUMBO_TAG_MENU;
    lists_ += is_list ? 1 : 0;
    walk_children(node);
    flush();
    lists_ -= is_list ? 1 : 0;
    frame_ = outer;
    verbatim_ = was_verbatim;
  }

  void take_title(const GumboNode& head) {
    const GumboVector& children = head.v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
      const auto* child = static_cast<const GumboNode*>(children.data[i]);
      if (child->type != GUMBO_NODE_ELEMENT || child->v.element.tag != GUMBO_TAG_TITLE) continue;
      if (child->v.element.children.length == 0 || !title_.empty()) continue;
      const auto* text = static_cast<const GumboNode*>(child->v.element.children.data[0]);
      if (text->type == GUMBO_NODE_TEXT) append_collapsed(title_, text->v.text.text);
      title_ = trimmed(std::string_view(title_));
    }
  }

  void take_rows(const GumboNode& node) {
    const GumboVector& children = node.v.element.children;
    for (unsigned i = 0; i < children.length && !writer_.over_limit(); ++i) {
      const auto& child = *static_cast<const GumboNode*>(children.data[i]);
      if (child.type != GUMBO_NODE_ELEMENT) continue;
      const GumboTag tag = child.v.element.tag;
      if (tag == GUMBO_TAG_TR) {
        take_row(child);
      } else if (tag == GUMBO_TAG_CAPTION) {
        in_table_ = false;
        walk(child);
      } else {
        take_rows(child);
      }
    }
    if (node.v.element.tag == GUMBO_TAG_TABLE) in_table_ = false;
  }

  // Cells with " | " between; line ends within a cell become spaces.
  void take_row(const GumboNode& row) {
    std::string cells;
    bool all_headings = true;
    int count = 0;
    const GumboVector& children = row.v.element.children;
    for (unsigned i = 0; i < children.length; ++i) {
      const auto& cell = *static_cast<const GumboNode*>(children.data[i]);
      if (cell.type != GUMBO_NODE_ELEMENT) continue;
      if (count++ > 0) cells += " | ";
      all_headings = all_headings && cell.v.element.tag == GUMBO_TAG_TH;
      in_cell_ = true;
      walk_children(cell);
      in_cell_ = false;
      std::string text;
      append_collapsed(text, text_);
      cells += trimmed(std::string_view(text));
      text_.clear();
    }
    const bool header = all_headings && !in_table_;
    text_ = std::move(cells);
    if (is_blank(text_) || text_.find_first_not_of(" |") == std::string::npos) text_.clear();
    in_table_ = in_table_ || !text_.empty();
    const Frame outer = std::exchange(frame_, {header ? BlockKind::table_header : BlockKind::table_row, 0});
    flush();
    frame_ = outer;
  }

  void flush() {
    if (in_cell_) {
      text_ += ' ';
      return;
    }
    if (!is_blank(text_)) {
      NewBlock block;
      block.kind = frame_.kind;
      block.level = frame_.level;
      if (begin_ != kNothing) block.original = {begin_, end_};
      if (block.kind == BlockKind::heading) std::replace(text_.begin(), text_.end(), '\n', ' ');
      writer_.add(block, text_);
    }
    text_.clear();
    begin_ = kNothing;
    end_ = 0;
  }

  struct Frame {
    BlockKind kind = BlockKind::paragraph;
    int level = 0;
  };
  static constexpr std::size_t kNothing = std::string_view::npos;

  BlockWriter& writer_;
  const std::string& html_;
  std::string title_;
  std::string text_;  // of the block that is open
  std::size_t begin_ = kNothing, end_ = 0;
  Frame frame_;
  int lists_ = 0;
  bool verbatim_ = false;
  bool in_cell_ = false;   // what would end a block ends a word only
  bool in_table_ = false;  // behind a table's first row
};

}  // namespace

std::string write_html(BlockWriter& writer, const std::string& html, const ReadLimits& limits,
                       std::string& failure) {
  failure = html_excess(html, limits.max_depth);
  if (!failure.empty()) return "";
  const GumboTree tree(gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size()),
                       &destroy_tree);
  if (tree == nullptr) return "";
  HtmlWalk walk(writer, html);
  walk.run(*tree->root);
  return std::move(walk).title();
}

ReadOutcome read_html(TextInput input, const ReadLimits& limits) {
  BlockWriter writer(limits);
  std::string failure;
  Document rest;
  rest.title = write_html(writer, input.decoded.text, limits, failure);
  if (!failure.empty()) return ReadFailure{ReadFailure::Kind::over_limit, failure};
  rest.media_type = std::move(input.media_type);
  rest.encoding = std::move(input.decoded.encoding);
  return std::move(writer).finish(std::move(rest));
}

}  // namespace parley::retrieval::documents
