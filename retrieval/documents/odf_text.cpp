#include "retrieval/documents/odf_text.h"

#include <algorithm>
#include <utility>

namespace parley::retrieval::documents {
namespace {

constexpr int kMaxSpaces = 1024;  // of text:s, which states a count

// What holds blocks and says nothing about them itself.
bool is_odf_container(std::string_view name) {
  return name == "section" || name == "index-body" || name == "index-title" || name == "note-body" ||
         name == "text-box" || name == "g" || name == "custom-shape" || name == "rect" || name == "ellipse" ||
         name == "list-header" || name == "numbered-paragraph" || name == "soft-page-break";
}

bool is_left_out(std::string_view name) {
  return name == "annotation" || name == "tracked-changes" || name == "ruby-text" ||
         name == "table-of-content" || name == "note-citation" || name == "object-ole" || name == "desc" ||
         name == "title";
}

}  // namespace

OdfText::OdfText(XmlNode content, BlockAssembler& out) : out_(out), budget_(out.max_text_bytes()) {
  for (const XmlNode style : content.child("automatic-styles")) {
    const std::string_view parent = style.attribute("parent-style-name");
    if (style.name() == "style" && !parent.empty()) {
      parent_styles_.emplace(style.attribute("style:name"), parent);
    }
  }
}

OdfParagraphRole OdfText::role(XmlNode paragraph) const {
  std::string_view style = paragraph.attribute("style-name");
  if (const auto found = parent_styles_.find(style); found != parent_styles_.end()) {
    style = found->second;
  }
  if (style == "Title") {
    return OdfParagraphRole::title;
  }
  if (style == "Quotations" || style == "Quote") {
    return OdfParagraphRole::quote;
  }
  return style.starts_with("Preformatted") || style.find("Code") != std::string_view::npos
             ? OdfParagraphRole::code
             : OdfParagraphRole::plain;
}

void OdfText::read_text(XmlNode parent) {
  for (const XmlNode node : parent) {
    read_block(node, 0);
  }
  flush_code();
}

void OdfText::read_block(XmlNode node, int list_level) {
  const std::string_view name = node.name();
  if (is_left_out(name)) {
    return;
  }
  if (name == "p") {
    read_paragraph(node, list_level);
  } else if (name == "h") {
    read_heading(node);
  } else if (name == "table") {
    flush_code();
    read_table(node);
    read_pending();
  } else if (name == "list" || name == "list-item" || is_odf_container(name)) {
    const int level = name == "list" ? list_level + 1 : list_level;
    for (const XmlNode child : node) {
      read_block(child, level);
    }
  } else if (name == "frame") {
    read_frame(node);
  }
}

void OdfText::read_paragraph(XmlNode paragraph, int list_level) {
  std::string text;
  read_inline(paragraph, text);
  const OdfParagraphRole kind = role(paragraph);
  if (kind == OdfParagraphRole::code) {
    code_ += text + "\n";
    read_pending();
    return;
  }
  flush_code();
  if (kind == OdfParagraphRole::title) {
    out_.add(BlockKind::heading, text, 1);
    out_.set_title(text);
  } else if (list_level > 0) {
    out_.add(BlockKind::list_item, text, list_level);
  } else {
    out_.add(kind == OdfParagraphRole::quote ? BlockKind::quote : BlockKind::paragraph, text);
  }
  read_pending();
}

void OdfText::read_heading(XmlNode heading) {
  std::string text;
  read_inline(heading, text);
  std::replace(text.begin(), text.end(), '\n', ' ');
  flush_code();
  out_.add(BlockKind::heading, text, std::clamp(heading.attribute_int("outline-level", 1), 1, 10));
  read_pending();
}

void OdfText::flush_code() {
  if (!code_.empty()) {
    out_.add(BlockKind::code, std::exchange(code_, {}));
  }
}

void OdfText::read_pending() {
  if (pending_.empty()) {
    return;
  }
  flush_code();
  for (const XmlNode node : std::exchange(pending_, {})) {
    if (node.name() == "frame") {
      read_frame(node);
    } else {
      read_text(node);
    }
  }
}

void OdfText::read_frame(XmlNode frame) {
  const bool is_title = frame.attribute("presentation:class") == "title";
  for (const XmlNode node : frame) {
    if (node.name() == "text-box" && is_title) {
      continue;  // read first (read_slide)
    }
    if (node.name() == "text-box" || node.name() == "table") {
      read_block(node, 0);
      return;  // the other forms of it are for programs that do not know this one
    }
    if (node.name() == "image") {
      ++num_pictures_;
      return;
    }
  }
}

void OdfText::read_inline(XmlNode parent, std::string& text) {
  for (const XmlNode node : parent) {
    const std::string_view name = node.name();
    if (node.is_text()) {
      text += node.text();
    } else if (name == "s") {
      text.append(static_cast<std::size_t>(std::clamp(node.attribute_int("c", 1), 1, kMaxSpaces)), ' ');
    } else if (name == "tab") {
      text += '\t';
    } else if (name == "line-break") {
      text += '\n';
    } else if (name == "note") {
      pending_.push_back(node.child("note-body"));
    } else if (name == "frame") {
      pending_.push_back(node);
    } else if (!is_left_out(name)) {
      read_inline(node, text);
    }
  }
}

std::string OdfText::cell_text(XmlNode cell) {
  std::string text;
  for (const XmlNode node : cell) {
    if (node.name() == "p" || node.name() == "h") {
      read_inline(node, text);
      text += '\n';
    } else if (!node.is_text() && !is_left_out(node.name())) {
      text += cell_text(node);  // lists, and tables inside the cell, as their text
    }
  }
  return text;
}

void OdfText::read_table(XmlNode table) {
  budget_ = TextBudget(out_.max_text_bytes());
  TableRows rows;
  std::map<int, std::string> merged;
  collect_rows(table, TableRows::Header::no, rows, merged);
  rows.write(out_);
}

void OdfText::collect_rows(XmlNode parent, TableRows::Header header, TableRows& rows,
                           std::map<int, std::string>& merged) {
  for (const XmlNode node : parent) {
    const std::string_view name = node.name();
    if (name == "table-row") {
      rows.add(read_row(node, merged), header);
    } else if (name == "table-header-rows") {
      collect_rows(node, TableRows::Header::yes, rows, merged);
    } else if (name == "table-rows" || name == "table-row-group") {
      collect_rows(node, header, rows, merged);
    }
  }
}

std::vector<std::string> OdfText::read_row(XmlNode row, std::map<int, std::string>& merged) {
  std::vector<std::string> cells;
  int column = 0;
  bool is_beside_span = false;  // of columns: what it covers in its own row is no cell
  for (const XmlNode node : row) {
    if (node.name() == "table-cell") {
      cells.push_back(cell_text(node));
      is_beside_span = node.attribute_int("number-columns-spanned", 1) > 1;
      if (node.attribute_int("number-rows-spanned", 1) > 1) {
        merged[column] = cells.back();
      } else {
        merged.erase(column);
      }
      ++column;
    } else if (node.name() == "covered-table-cell") {
      if (!is_beside_span) {
        const auto above = merged.find(column);
        budget_.take(above == merged.end() ? 0 : above->second.size());
        cells.push_back(above == merged.end() ? "" : above->second);
      }
      column += std::clamp(node.attribute_int("number-columns-repeated", 1), 1, SheetRows::kMaxColumns);
      column = std::min(column, SheetRows::kMaxColumns);
    }
  }
  return cells;
}

}  // namespace parley::retrieval::documents
