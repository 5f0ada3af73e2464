#pragma once
// Turns the content of an OpenDocument file (ODT, ODS, ODP; OASIS ODF 1.3) into blocks. One thread; recursion
// is bounded by the tree's depth. Throws FormatError.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/sheet_rows.h"
#include "retrieval/documents/table_rows.h"
#include "retrieval/documents/text_budget.h"
#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

// What a paragraph's style, or one that it is derived from, is named for.
enum class OdfParagraphRole : std::uint8_t { plain, title, quote, code };

class OdfText {
 public:
  // `content` is office:document-content, whose automatic styles are derived from named ones. Borrows both.
  OdfText(XmlNode content, BlockAssembler& out);

  void read_text(XmlNode parent);      // what holds paragraphs, lists and tables
  void read_sheet(XmlNode table);      // a page of its own
  void read_slide(XmlNode draw_page);  // a page of its own

 private:
  void read_block(XmlNode node, int list_level);
  void read_paragraph(XmlNode paragraph, int list_level);
  void read_heading(XmlNode heading);
  void read_table(XmlNode table);
  void collect_rows(XmlNode parent, TableRows::Header header, TableRows& rows,
                    std::map<int, std::string>& merged);
  std::vector<std::string> read_row(XmlNode row, std::map<int, std::string>& merged);
  void collect_sheet_rows(XmlNode parent, int& row_index, SheetRows& rows,
                          std::map<int, std::string>& merged);
  std::vector<SheetCell> read_sheet_row(XmlNode row, std::map<int, std::string>& merged);
  std::string cell_text(XmlNode cell);
  void read_inline(XmlNode parent, std::string& text);
  void read_frame(XmlNode frame);
  void flush_code();
  void read_pending();
  OdfParagraphRole role(XmlNode paragraph) const;

  BlockAssembler& out_;
  TextBudget budget_;                                              // of the table that is being read
  std::map<std::string, std::string, std::less<>> parent_styles_;  // by style, of the automatic ones
  std::string code_;              // lines of the code block that is being read
  std::vector<XmlNode> pending_;  // notes and frames met inside a paragraph
  int num_pictures_ = 0;          // of the slide that is being read
};

}  // namespace parley::retrieval::documents
