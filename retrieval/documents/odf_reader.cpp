#include <string>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/odf_text.h"
#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/xml_tree.h"
#include "retrieval/documents/zip_archive.h"

namespace parley::retrieval::documents {
namespace {

class OdfReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_odf(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_odf(std::string_view bytes, const ReadLimits& limits);
};

void refuse_encrypted_odf(ZipArchive& zip, const ReadLimits& limits) {
  constexpr std::string_view kManifest = "META-INF/manifest.xml";
  if (const auto manifest = zip.read_if_there(kManifest)) {
    if (XmlTree(*manifest, limits, kManifest).root().find("encryption-data")) {
      throw FormatError(ReadFailure::Kind::encrypted, "it is protected by a password");
    }
  }
}

ReadOutcome OdfReader::read_odf(std::string_view bytes, const ReadLimits& limits) {
  ZipArchive zip(bytes, limits);
  refuse_encrypted_odf(zip, limits);
  const XmlTree tree(zip.read("content.xml"), limits, "content.xml");
  const XmlNode body = tree.root().child("body");
  const XmlNode text = body.child("text"), sheets = body.child("spreadsheet");
  const XmlNode slides = body.child("presentation") ? body.child("presentation") : body.child("drawing");
  const std::string kind = sheets ? "spreadsheet" : slides ? "presentation" : "text";
  BlockAssembler out(limits, "application/vnd.oasis.opendocument." + kind);
  if (const auto meta = zip.read_if_there("meta.xml")) {
    const XmlTree meta_tree(*meta, limits, "meta.xml");
    out.set_title(meta_tree.root().child("meta").child("title").all_text());
  }
  OdfText reader(tree.root(), out);
  reader.read_text(text);
  for (const XmlNode sheet : sheets) {
    if (sheet.name() == "table") {
      reader.read_sheet(sheet);
    }
  }
  for (const XmlNode slide : slides) {
    if (slide.name() == "page") {
      reader.read_slide(slide);
    }
  }
  if (!out.has_text() && out.has_notes()) {
    throw FormatError(ReadFailure::Kind::needs_ocr, "its slides are pictures: it needs OCR");
  }
  return out.take();
}

}  // namespace

std::unique_ptr<DocumentReader> make_odf_reader() { return std::make_unique<OdfReader>(); }

}  // namespace parley::retrieval::documents
