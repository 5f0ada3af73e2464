#include <string>
#include <utility>
#include <vector>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/opc_package.h"
#include "retrieval/documents/pptx_slide.h"

namespace parley::retrieval::documents {
namespace {

class PptxReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_pptx(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_pptx(std::string_view bytes, const ReadLimits& limits);
};

// In the order in which they are shown.
std::vector<std::string> slide_parts(OpcPackage& package) {
  const std::string main_part = package.main_part("ppt/presentation.xml");
  const auto relationships = package.relationships(main_part);
  const XmlTree presentation = package.read_xml(main_part);
  std::vector<std::string> parts;
  for (const XmlNode slide : presentation.root().child("sldIdLst")) {
    const auto found = relationships.find(std::string(slide.attribute("r:id")));
    if (slide.name() == "sldId" && found != relationships.end()) {
      parts.push_back(found->second.target);
    }
  }
  return parts;
}

// True when the slide shows pictures and nothing that can be read.
bool read_slide(OpcPackage& package, const std::string& part, BlockAssembler& out) {
  out.begin_page("");
  if (!package.contains(part)) {
    out.add_note("slide " + std::to_string(out.page()) + " is missing in the file");
    return false;
  }
  const std::size_t num_before = out.num_blocks();
  PptxSlide slide(out);
  const XmlTree tree = package.read_xml(part);
  slide.read(tree.root());
  const bool is_picture = out.num_blocks() == num_before && slide.num_pictures() > 0;
  if (is_picture) {
    out.add_note("slide " + std::to_string(out.page()) + " is a picture: it needs OCR");
  }
  const std::string notes = target_of_type(package.relationships(part), "notesSlide");
  if (package.contains(notes)) {
    const XmlTree notes_tree = package.read_xml(notes);
    slide.read_notes(notes_tree.root());
  }
  return is_picture;
}

ReadOutcome PptxReader::read_pptx(std::string_view bytes, const ReadLimits& limits) {
  OpcPackage package(bytes, limits);
  BlockAssembler out(limits, "application/vnd.openxmlformats-officedocument.presentationml.presentation");
  out.set_title(package.title());
  bool has_pictures = false;
  for (const std::string& part : slide_parts(package)) {
    has_pictures = read_slide(package, part, out) || has_pictures;
  }
  if (!out.has_text() && has_pictures) {
    throw FormatError(ReadFailure::Kind::needs_ocr, "its slides are pictures: it needs OCR");
  }
  return out.take();
}

}  // namespace

std::unique_ptr<DocumentReader> make_pptx_reader() { return std::make_unique<PptxReader>(); }

}  // namespace parley::retrieval::documents
