#pragma once
// A page of a book as a tree: XHTML as XML where it is well-formed, else as a browser would read it. One
// thread. Throws FormatError (over_limit).

#include <string>
#include <string_view>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/xml_tree.h"

namespace parley::retrieval::documents {

// `part` names it in messages. The root is the html element.
XmlTree parse_xhtml(const std::string& bytes, const ReadLimits& limits, std::string_view part);

// Named characters of HTML that stand in well-formed XHTML ("&nbsp;"), as UTF-8; "<" and "&" stay references.
std::string with_named_characters(std::string_view bytes);

}  // namespace parley::retrieval::documents
