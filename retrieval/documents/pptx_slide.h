#pragma once
// Turns one slide of a PPTX (PresentationML and DrawingML, ECMA-376 part 1, 19 and 21) into blocks. One
// thread; recursion is bounded by the tree's depth. Throws FormatError.

#include <string>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

class PptxSlide {
 public:
  explicit PptxSlide(BlockAssembler& out) : out_(out) {}

  // `slide`: p:sld. The title comes first, wherever it stands.
  void read(XmlNode slide);
  // `notes`: p:notes, what the speaker wrote below the slide.
  void read_notes(XmlNode notes);

  int num_pictures() const { return num_pictures_; }
  const std::string& title() const { return title_; }  // of the slide; empty: none

 private:
  void read_shapes(XmlNode tree);
  void read_shape(XmlNode shape);
  void read_title(XmlNode tree);
  void read_text(XmlNode body, bool is_bulleted, const Box& box);
  void read_table(XmlNode table, const Box& box);

  BlockAssembler& out_;
  std::string title_;
  XmlNode title_shape_;
  int num_pictures_ = 0;
};

}  // namespace parley::retrieval::documents
