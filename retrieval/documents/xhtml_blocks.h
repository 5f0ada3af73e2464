#pragma once
// Turns XHTML into blocks: headings, paragraphs, lists, quotes, preformatted text, tables. One thread;
// recursion is bounded by the tree's depth. Throws FormatError.

#include <string>
#include <string_view>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/table_rows.h"
#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

class XhtmlBlocks {
 public:
  explicit XhtmlBlocks(BlockAssembler& out) : out_(out) {}
  void read(XmlNode body);

 private:
  void read_children(XmlNode parent);
  void read_element(XmlNode element);
  void read_heading(XmlNode element, int level);
  void read_list_item(XmlNode element);
  void read_table(XmlNode parent, TableRows::Header header, TableRows& rows);
  void read_row(XmlNode row, TableRows::Header header, TableRows& rows);
  void flush();  // ends the paragraph that is being read

  BlockAssembler& out_;
  std::string inline_;  // text of the paragraph that is being read
  int list_depth_ = 0;
  int quote_depth_ = 0;
  bool is_in_item_ = false;
};

// The text of an element in one line, without what a page does not show.
std::string xhtml_line(XmlNode element);

}  // namespace parley::retrieval::documents
