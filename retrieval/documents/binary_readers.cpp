#include "retrieval/documents/binary_readers.h"

#include <array>

#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/pdf_reader.h"

namespace parley::retrieval::documents {

namespace {

using ReaderFactory = std::unique_ptr<DocumentReader> (*)();

constexpr std::array<std::pair<Format, ReaderFactory>, 7> kBinaryReaders = {{
    {Format::pdf, &make_pdf_reader},
    {Format::docx, &make_docx_reader},
    {Format::pptx, &make_pptx_reader},
    {Format::xlsx, &make_xlsx_reader},
    {Format::odf, &make_odf_reader},
    {Format::epub, &make_epub_reader},
    {Format::rtf, &make_rtf_reader},
}};

}  // namespace

std::vector<BinaryReader> make_binary_readers() {
  std::vector<BinaryReader> readers;
  readers.reserve(kBinaryReaders.size());
  for (const auto& [format, make] : kBinaryReaders) readers.emplace_back(format, make());
  return readers;
}

}  // namespace parley::retrieval::documents
