#pragma once
// What the paragraph styles of a DOCX mean for structure, with what they inherit. One thread; immutable once
// made.

#include <map>
#include <string>
#include <string_view>

#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

struct DocxParagraphStyle {
  int heading_level = 0;  // from 1; 0: no heading
  int list_level = 0;     // from 1; 0: no list
  bool is_title = false;
  bool is_code = false;
  bool is_quote = false;
  bool is_contents = false;  // an entry of a table of contents
};

class DocxStyles {
 public:
  DocxStyles() = default;
  explicit DocxStyles(XmlNode styles);

  DocxParagraphStyle find(std::string_view style_id) const;
  // The style with what the paragraph's own properties (w:pPr, may be null) say.
  DocxParagraphStyle of_paragraph(XmlNode properties) const;

 private:
  struct Entry {
    XmlNode properties;
    std::string name;      // lower case
    std::string based_on;  // a style's id
  };
  std::map<std::string, DocxParagraphStyle, std::less<>> styles_;
  std::string default_id_;

  static DocxParagraphStyle resolve(const std::map<std::string, Entry, std::less<>>& entries,
                                    std::string_view id);
};

}  // namespace parley::retrieval::documents
