#pragma once
// Turns the body of a DOCX (WordprocessingML, ECMA-376 part 1, 17) into blocks. One thread; recursion is
// bounded by the tree's depth. Throws FormatError.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/docx_styles.h"
#include "retrieval/documents/table_rows.h"
#include "retrieval/documents/text_budget.h"
#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

// Foot- and endnotes by "footnote:ID" and "endnote:ID".
using DocxNotes = std::map<std::string, XmlNode, std::less<>>;

class DocxBody {
 public:
  // Borrows `styles`, `out` and the trees of the notes.
  DocxBody(const DocxStyles& styles, DocxNotes notes, BlockAssembler& out);

  // Everything that holds paragraphs and tables: a body, a content control, a text box, a note.
  void read_blocks(XmlNode parent);

 private:
  void read_block(XmlNode node);
  void read_paragraph(XmlNode paragraph);
  void read_table(XmlNode table);
  std::vector<std::string> read_row(XmlNode row, std::map<int, std::string>& merged);
  std::string cell_text(XmlNode cell);
  void read_inline(XmlNode parent, std::string& text);
  void read_inline_node(XmlNode node, std::string& text);
  bool read_run_content(XmlNode node, std::string& text);  // false: it is nothing of a run
  void flush_code();
  void read_pending();

  const DocxStyles& styles_;
  DocxNotes notes_;  // those not named so far: each is read once
  BlockAssembler& out_;
  TextBudget budget_;  // of the table that is being read
  bool is_in_note_ = false;
  std::string code_;              // lines of the code block that is being read
  std::vector<XmlNode> pending_;  // text boxes and notes met inside the paragraph or table
};

}  // namespace parley::retrieval::documents
