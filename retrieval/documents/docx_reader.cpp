#include <optional>
#include <utility>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/docx_body.h"
#include "retrieval/documents/docx_styles.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/opc_package.h"

namespace parley::retrieval::documents {
namespace {

class DocxReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_docx(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_docx(std::string_view bytes, const ReadLimits& limits);
};

void collect_notes(XmlNode part, const std::string& kind, DocxNotes& notes) {
  for (const XmlNode note : part) {
    if (note.name() == kind && note.attribute("type") != "separator" &&
        note.attribute("type") != "continuationSeparator") {
      notes.emplace(kind + ":" + std::string(note.attribute("id")), note);
    }
  }
}

ReadOutcome DocxReader::read_docx(std::string_view bytes, const ReadLimits& limits) {
  OpcPackage package(bytes, limits);
  const std::string main_part = package.main_part("word/document.xml");
  const auto relationships = package.relationships(main_part);
  const auto read_related = [&](std::string_view type) {
    const std::string part = target_of_type(relationships, type);
    return package.contains(part) ? std::optional<XmlTree>(package.read_xml(part)) : std::nullopt;
  };
  BlockAssembler out(limits, "application/vnd.openxmlformats-officedocument.wordprocessingml.document");
  out.set_title(package.title());

  const std::optional<XmlTree> style_tree = read_related("styles");
  const DocxStyles styles = style_tree ? DocxStyles(style_tree->root()) : DocxStyles();
  const std::optional<XmlTree> footnotes = read_related("footnotes");
  const std::optional<XmlTree> endnotes = read_related("endnotes");
  DocxNotes notes;
  if (footnotes) {
    collect_notes(footnotes->root(), "footnote", notes);
  }
  if (endnotes) {
    collect_notes(endnotes->root(), "endnote", notes);
  }
  const XmlTree document = package.read_xml(main_part);
  DocxBody(styles, std::move(notes), out).read_blocks(document.root().child("body"));
  return out.take();
}

}  // namespace

std::unique_ptr<DocumentReader> make_docx_reader() { return std::make_unique<DocxReader>(); }

}  // namespace parley::retrieval::documents
