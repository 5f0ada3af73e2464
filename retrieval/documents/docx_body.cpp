#include "retrieval/documents/docx_body.h"

#include <algorithm>
#include <utility>

#include "retrieval/documents/unicode_text.h"

namespace parley::retrieval::documents {
namespace {

bool is_container(std::string_view name) {
  return name == "sdt" || name == "sdtContent" || name == "customXml" || name == "smartTag" ||
         name == "ins" || name == "moveTo";
}

bool is_on(XmlNode flag) {
  const std::string_view value = flag.attribute("val");
  return flag && value != "0" && value != "false" && value != "off";
}

// Of the two forms of one thing that are there for newer and older programs.
XmlNode chosen_alternative(XmlNode node) {
  const XmlNode choice = node.child("Choice");
  return choice ? choice : node.child("Fallback");
}

// Whether a program formats the first row apart (w:tblLook) says nothing: most do so for every table.
TableRows::Header docx_header(XmlNode row) {
  return is_on(row.child("trPr").child("tblHeader")) ? TableRows::Header::yes : TableRows::Header::no;
}

// The cell of a table that has no other one: a frame around text, no table.
XmlNode only_cell(XmlNode table) {
  XmlNode cell;
  int num_cells = 0;
  for (const XmlNode row : table) {
    for (const XmlNode node : row) {
      if (row.name() == "tr" && node.name() == "tc") {
        cell = node;
        ++num_cells;
      }
    }
    num_cells += is_container(row.name()) ? 2 : 0;
  }
  return num_cells == 1 ? cell : XmlNode();
}

}  // namespace

DocxBody::DocxBody(const DocxStyles& styles, DocxNotes notes, BlockAssembler& out)
    : styles_(styles), notes_(std::move(notes)), out_(out), budget_(out.max_text_bytes()) {}

void DocxBody::read_blocks(XmlNode parent) {
  for (const XmlNode node : parent) {
    read_block(node);
  }
  flush_code();
}

void DocxBody::read_block(XmlNode node) {
  const std::string_view name = node.name();
  if (name == "p") {
    read_paragraph(node);
  } else if (name == "tbl") {
    flush_code();
    read_table(node);
    read_pending();
  } else if (is_container(name)) {
    for (const XmlNode child : node) {
      read_block(child);
    }
  } else if (name == "AlternateContent") {
    for (const XmlNode child : chosen_alternative(node)) {
      read_block(child);
    }
  }
}

void DocxBody::read_paragraph(XmlNode paragraph) {
  const XmlNode properties = paragraph.child("pPr");
  const DocxParagraphStyle style = styles_.of_paragraph(properties);
  std::string text;
  read_inline(paragraph, text);
  if (style.is_code) {
    code_ += text + "\n";
    read_pending();
    return;
  }
  flush_code();
  if (style.is_contents) {
    pending_.clear();
    return;
  }
  if (style.heading_level > 0) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    out_.add(BlockKind::heading, text, style.heading_level);
    if (style.is_title) {
      out_.set_title(text);
    }
  } else if (style.list_level > 0) {
    out_.add(BlockKind::list_item, text, style.list_level);
  } else {
    out_.add(style.is_quote ? BlockKind::quote : BlockKind::paragraph, text);
  }
  read_pending();
}

void DocxBody::flush_code() {
  if (!code_.empty()) {
    out_.add(BlockKind::code, std::exchange(code_, {}));
  }
}

void DocxBody::read_pending() {
  if (pending_.empty()) {
    return;
  }
  flush_code();
  for (const XmlNode node : std::exchange(pending_, {})) {
    // Notes that name further notes would be read one inside the other, without end in a hostile file.
    const bool was_in_note = is_in_note_;
    is_in_note_ = was_in_note || node.name() == "footnote" || node.name() == "endnote";
    read_blocks(node);
    is_in_note_ = was_in_note;
  }
}

void DocxBody::read_table(XmlNode table) {
  if (const XmlNode cell = only_cell(table)) {
    read_blocks(cell);
    return;
  }
  budget_ = TextBudget(out_.max_text_bytes());
  TableRows rows;
  std::map<int, std::string> merged;  // by column: the text that runs on into the rows below
  std::vector<XmlNode> waiting = {table.first_child()};
  while (!waiting.empty()) {
    const XmlNode node = waiting.back();
    waiting.pop_back();
    if (!node) {
      continue;
    }
    waiting.push_back(node.next());
    if (node.name() == "tr" && !node.child("trPr").child("del")) {
      rows.add(read_row(node, merged), docx_header(node));
    } else if (is_container(node.name())) {
      waiting.push_back(node.first_child());
    }
  }
  rows.write(out_);
}

std::vector<std::string> DocxBody::read_row(XmlNode row, std::map<int, std::string>& merged) {
  constexpr int kMaxColumns = 1024;
  std::vector<std::string> cells;
  int column = 0;
  std::vector<XmlNode> waiting = {row.first_child()};
  while (!waiting.empty()) {
    const XmlNode node = waiting.back();
    waiting.pop_back();
    if (!node) {
      continue;
    }
    waiting.push_back(node.next());
    if (is_container(node.name())) {
      waiting.push_back(node.first_child());
    }
    if (node.name() != "tc") {
      continue;
    }
    const XmlNode properties = node.child("tcPr");
    const XmlNode merge = properties.child("vMerge");
    std::string text = cell_text(node);
    if (merge && merge.attribute("val") != "restart") {
      budget_.take(merged[column].size());
      text = merged[column];
    } else if (merge) {
      merged[column] = text;
    }
    cells.push_back(std::move(text));
    column += std::clamp(properties.child("gridSpan").attribute_int("val", 1), 1, kMaxColumns);
    column = std::min(column, kMaxColumns);
  }
  return cells;
}

std::string DocxBody::cell_text(XmlNode cell) {
  std::string text;
  for (const XmlNode node : cell) {
    if (node.name() == "p") {
      read_inline(node, text);
      text += '\n';
    } else if (node.name() == "tbl" || node.name() == "tr" || node.name() == "tc" ||
               is_container(node.name())) {
      text += cell_text(node);  // a table inside the cell is read as its text
    }
  }
  return text;
}

void DocxBody::read_inline(XmlNode parent, std::string& text) {
  for (const XmlNode node : parent) {
    read_inline_node(node, text);
  }
}

void DocxBody::read_inline_node(XmlNode node, std::string& text) {
  const std::string_view name = node.name();
  if (name == "r") {
    if (!is_on(node.child("rPr").child("vanish"))) {
      read_inline(node, text);
    }
  } else if (name == "txbxContent") {
    pending_.push_back(node);
  } else if (name == "AlternateContent") {
    read_inline(chosen_alternative(node), text);
  } else if (!read_run_content(node, text) && name != "pPr" && name != "rPr" && name != "del" &&
             name != "moveFrom" && name != "delText" && name != "instrText" && name != "rt" &&
             name != "sdtPr" && name != "fldData") {
    read_inline(node, text);
  }
}

bool DocxBody::read_run_content(XmlNode node, std::string& text) {
  const std::string_view name = node.name();
  if (name == "t") {
    text += node.all_text();
  } else if (name == "tab" || name == "ptab") {
    text += '\t';
  } else if (name == "br" || name == "cr") {
    text += '\n';
  } else if (name == "noBreakHyphen") {
    text += '-';
  } else if (name == "footnoteReference" || name == "endnoteReference") {
    const std::string kind(name.substr(0, name.size() - std::string_view("Reference").size()));
    const auto found = notes_.find(kind + ":" + std::string(node.attribute("id")));
    if (found != notes_.end() && !is_in_note_) {
      pending_.push_back(found->second);
      notes_.erase(found);
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace parley::retrieval::documents
