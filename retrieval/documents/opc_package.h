#pragma once
// The parts of an Office Open XML file (DOCX, PPTX, XLSX) and the relationships between them (ECMA-376 part
// 2). One thread. Throws FormatError.

#include <map>
#include <string>
#include <string_view>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/xml_tree.h"
#include "retrieval/documents/zip_archive.h"

namespace parley::retrieval::documents {

struct Relationship {
  std::string type;    // the last part of its URI: "styles", the same for the strict and the usual variant
  std::string target;  // a part's name in the archive
};

class OpcPackage {
 public:
  // Borrows both. Old binary files (OLE) are told apart: encrypted, or unsupported.
  OpcPackage(std::string_view bytes, const ReadLimits& limits);

  // The part that the package names as its document; else `usual`, when that is there; else damaged.
  std::string main_part(std::string_view usual);
  // By id; external ones are left out.
  std::map<std::string, Relationship> relationships(std::string_view part);
  std::string title();  // of its core properties; empty: none

  XmlTree read_xml(std::string_view part) { return {zip_.read(part), limits_, part}; }
  bool contains(std::string_view part) const { return zip_.contains(part); }

 private:
  const ReadLimits& limits_;
  ZipArchive zip_;
};

// The target of the first relationship of this type; empty: none.
std::string target_of_type(const std::map<std::string, Relationship>& relationships, std::string_view type);

// "../media/a.png" seen from "ppt/slides/slide1.xml" is "ppt/media/a.png". Never leads out of the archive.
std::string resolve_part(std::string_view base_part, std::string_view target);

}  // namespace parley::retrieval::documents
