#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/office_readers.h"
#include "retrieval/documents/rtf_document.h"

namespace parley::retrieval::documents {
namespace {

class RtfReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_rtf(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_rtf(std::string_view bytes, const ReadLimits& limits);
};

ReadOutcome RtfReader::read_rtf(std::string_view bytes, const ReadLimits& limits) {
  if (!bytes.starts_with("{\\rtf")) {
    throw FormatError(ReadFailure::Kind::damaged, "it does not begin as RTF does");
  }
  BlockAssembler out(limits, "application/rtf");
  RtfDocument(bytes, limits.max_depth, out).read();
  return out.take();
}

}  // namespace

std::unique_ptr<DocumentReader> make_rtf_reader() { return std::make_unique<RtfReader>(); }

}  // namespace parley::retrieval::documents
