#include "retrieval/documents/document_reader.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include "retrieval/documents/binary_readers.h"
#include "retrieval/documents/compressed_file.h"
#include "retrieval/documents/format_detection.h"
#include "retrieval/documents/text_decoding.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::array<std::pair<Format, TextReader>, 11> kTextReaders = {{
    {Format::plain_text, &read_plain_text},
    {Format::source_code, &read_source_code},
    {Format::markdown, &read_markdown},
    {Format::rst, &read_rst},
    {Format::pod, &read_pod},
    {Format::man_page, &read_man_page},
    {Format::html, &read_html},
    {Format::separated_values, &read_separated_values},
    {Format::json, &read_json},
    {Format::json_lines, &read_json_lines},
    {Format::notebook, &read_notebook},
}};

ReadFailure refused(std::string reason) { return {ReadFailure::Kind::unsupported, std::move(reason)}; }

bool is_compressed(Format format) {
  return format == Format::gzip || format == Format::bzip2 || format == Format::xz;
}

class AnyDocumentReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    if (input.bytes.size() > limits.max_file_bytes) {
      return ReadFailure{ReadFailure::Kind::over_limit,
                         "It is larger than " + std::to_string(limits.max_file_bytes >> 20) + " MB."};
    }
    if (input.bytes.empty()) return ReadFailure{ReadFailure::Kind::empty, "It is empty."};
    const DetectedFormat detected = detect_binary_format(input.bytes);
    ReadOutcome outcome = is_compressed(detected.format) ? read_compressed(input, detected.format, limits)
                                                         : read_plain(input, detected, limits);
    if (auto* document = std::get_if<Document>(&outcome)) tidy_title(document->title);
    return outcome;
  }

 private:
  // One line of good UTF-8 (an escape of roff may have cut a character); a heading may be as long as the
  // file, and nobody wants to see that as a title.
  static void tidy_title(std::string& title) {
    constexpr std::size_t kLongest = 500;
    title = normalised_text(title);
    std::replace(title.begin(), title.end(), '\n', ' ');
    if (title.size() <= kLongest) return;
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
    title.resize(end);
  }

  ReadOutcome read_compressed(const ReadInput& input, Format format, const ReadLimits& limits) const {
    const auto inflated = decompressed_file(input.bytes, format, limits);
    if (const auto* failure = std::get_if<ReadFailure>(&inflated)) return *failure;
    ReadInput inner = input;
    inner.bytes = std::get<std::string>(inflated);
    inner.file_name = name_of_content(input.file_name);
    if (inner.bytes.empty()) return ReadFailure{ReadFailure::Kind::empty, "The file inside it is empty."};
    const DetectedFormat detected = detect_binary_format(inner.bytes);
    if (is_compressed(detected.format)) return refused("It is compressed twice: unpack it to have it read.");
    return read_plain(inner, detected, limits);
  }

  ReadOutcome read_plain(const ReadInput& input, const DetectedFormat& detected,
                         const ReadLimits& limits) const {
    if (detected.format == Format::refused) return refused(detected.refusal);
    if (detected.media_type.empty()) return read_text(input, limits);
    for (const auto& [format, reader] : readers_) {
      if (format == detected.format) return reader->read(input, limits);
    }
    return refused("There is no reader for " + detected.media_type + " in this build.");
  }

  static ReadOutcome read_text(const ReadInput& input, const ReadLimits& limits) {
    const DetectedFormat mail = detect_mail(input.bytes, input.file_name);
    if (mail.format == Format::mail) return read_mail(input, limits);
    if (mail.format == Format::mailbox) return read_mailbox(input, limits);
    const std::string charset =
        input.declared_charset.empty() ? declared_charset_of(input.bytes) : input.declared_charset;
    Decoding decoding = decode_text(input.bytes, charset, limits);
    if (auto* failure = std::get_if<ReadFailure>(&decoding)) return std::move(*failure);
    auto& decoded = std::get<DecodedText>(decoding);
    DetectedFormat detected = detect_text_format(decoded.text, input.file_name);
    if (detected.format == Format::refused) return refused(std::move(detected.refusal));
    const auto* found = std::find_if(kTextReaders.begin(), kTextReaders.end(),
                                     [&](const auto& entry) { return entry.first == detected.format; });
    return found->second({std::move(decoded), std::move(detected.media_type)}, limits);
  }

  std::vector<BinaryReader> readers_ = make_binary_readers();
};

}  // namespace

std::unique_ptr<DocumentReader> make_document_reader() { return std::make_unique<AnyDocumentReader>(); }

}  // namespace parley::retrieval::documents
