#include "retrieval/documents/xhtml_blocks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

template <std::size_t size>
bool is_one_of(std::string_view name, const std::array<std::string_view, size>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_unshown(std::string_view name) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "script", "style", "head", "template", "svg", "rt", "rp", "title", "iframe", "object", "audio"};
  return is_one_of(name, kNames);
}

bool is_block_element(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {
      "p",       "div",  "section",  "article", "aside",      "header", "footer",
      "main",    "nav",  "figure",   "center",  "figcaption", "dl",     "dt",
      "address", "form", "fieldset", "details", "summary",    "hr"};
  return is_one_of(name, kNames);
}

int heading_level_of(std::string_view name) {
  return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' ? name[1] - '0' : 0;
}

// In the source a line end is a space; the lines that a page shows come from br.
void add_flowing(std::string_view text, std::string& out) {
  for (const char c : text) {
    out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
}

void add_preformatted(XmlNode element, std::string& out) {
  for (const XmlNode node : element) {
    if (node.is_text()) {
      out += node.text();
    } else if (node.name() == "br") {
      out += '\n';
    } else {
      add_preformatted(node, out);
    }
  }
}

void add_line(XmlNode element, std::string& out) {
  for (const XmlNode node : element) {
    if (node.is_text()) {
      add_flowing(node.text(), out);
    } else if (!is_unshown(node.name())) {
      const bool is_apart = node.name() == "br" || is_block_element(node.name()) || node.name() == "li";
      out += is_apart ? " " : "";
      add_line(node, out);
      out += is_apart ? " " : "";
    }
  }
}

}  // namespace

std::string xhtml_line(XmlNode element) {
  std::string line;
  add_line(element, line);
  return cleaned_text(line, Spacing::collapse);
}

void XhtmlBlocks::read(XmlNode body) {
  read_children(body);
  flush();
}

void XhtmlBlocks::flush() {
  const std::string text = std::exchange(inline_, {});
  if (is_in_item_) {
    out_.add(BlockKind::list_item, text, std::max(list_depth_, 1));
  } else {
    out_.add(quote_depth_ > 0 ? BlockKind::quote : BlockKind::paragraph, text);
  }
}

void XhtmlBlocks::read_children(XmlNode parent) {
  for (const XmlNode node : parent) {
    if (node.is_text()) {
      add_flowing(node.text(), inline_);
    } else if (!is_unshown(node.name())) {
      read_element(node);
    }
  }
}

void XhtmlBlocks::read_element(XmlNode element) {
  const std::string_view name = element.name();
  if (name == "br") {
    inline_ += '\n';
  } else if (const int level = heading_level_of(name); level > 0) {
    read_heading(element, level);
  } else if (name == "ul" || name == "ol") {
    flush();
    ++list_depth_;
    read_children(element);
    flush();
    --list_depth_;
  } else if (name == "li" || name == "dd") {
    read_list_item(element);
  } else if (name == "pre") {
    flush();
    std::string code;
    add_preformatted(element, code);
    out_.add(BlockKind::code, code);
  } else if (name == "blockquote") {
    flush();
    ++quote_depth_;
    read_children(element);
    flush();
    --quote_depth_;
  } else if (name == "table") {
    flush();
    TableRows rows;
    read_table(element, TableRows::Header::no, rows);
    rows.write(out_);
  } else if (is_block_element(name)) {
    flush();
    read_children(element);
    flush();
  } else {
    read_children(element);
  }
}

void XhtmlBlocks::read_heading(XmlNode element, int level) {
  flush();
  out_.add(BlockKind::heading, xhtml_line(element), level);
}

void XhtmlBlocks::read_list_item(XmlNode element) {
  flush();
  const bool was_in_item = std::exchange(is_in_item_, true);
  read_children(element);
  flush();
  is_in_item_ = was_in_item;
}

void XhtmlBlocks::read_table(XmlNode parent, TableRows::Header header, TableRows& rows) {
  for (const XmlNode node : parent) {
    const std::string_view name = node.name();
    if (name == "tr") {
      read_row(node, header, rows);
    } else if (name == "thead") {
      read_table(node, TableRows::Header::yes, rows);
    } else if (name == "tbody" || name == "tfoot") {
      read_table(node, header, rows);
    } else if (name == "caption") {
      out_.add(BlockKind::paragraph, xhtml_line(node));
    }
  }
}

void XhtmlBlocks::read_row(XmlNode row, TableRows::Header header, TableRows& rows) {
  std::vector<std::string> cells;
  bool has_data = false;
  for (const XmlNode cell : row) {
    if (cell.name() == "td" || cell.name() == "th") {
      has_data = has_data || cell.name() == "td";
      cells.push_back(xhtml_line(cell));
    }
  }
  rows.add(std::move(cells), has_data ? header : TableRows::Header::yes);
}

}  // namespace parley::retrieval::documents
