#include "retrieval/documents/pdf_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "retrieval/documents/block_assembler.h"
#include "retrieval/documents/format_error.h"
#include "retrieval/documents/hyphenation.h"
#include "retrieval/documents/page_blocks.h"
#include "retrieval/documents/page_furniture.h"
#include "retrieval/documents/page_layout.h"
#include "retrieval/documents/pdf_source.h"

namespace parley::retrieval::documents {
namespace {

class PdfReader final : public DocumentReader {
 public:
  ReadOutcome read(const ReadInput& input, const ReadLimits& limits) const override {
    return read_or_fail([&] { return read_pdf(input.bytes, limits); });
  }

 private:
  static ReadOutcome read_pdf(std::string_view bytes, const ReadLimits& limits);
};

// A page between the two passes: what is usual in the document is known only when all pages are seen.
struct PendingPage {
  PdfPage page;  // without its words
  std::size_t first_text = 0;
  std::string note;
};

class PdfDocument {
 public:
  PdfDocument(std::string_view bytes, const ReadLimits& limits)
      : source_(bytes), limits_(limits), out_(limits, "application/pdf") {}

  Document read() {
    if (source_.num_pages() > limits_.max_pages) {
      throw FormatError(ReadFailure::Kind::over_limit, "it has " + std::to_string(source_.num_pages()) +
                                                           " pages, the limit is " +
                                                           std::to_string(limits_.max_pages));
    }
    for (int index = 0; index < source_.num_pages(); ++index) {
      read_page(index);
    }
    const PrintMeasures first = measure_print(texts_);
    drop_page_furniture(texts_, first.body_size);
    const PrintMeasures measures = measure_print(texts_);
    for (std::size_t index = 0; index < pages_.size(); ++index) {
      write_page(index, measures);
    }
    if (!out_.has_text() && num_pictures_ > 0) {
      throw FormatError(ReadFailure::Kind::needs_ocr, "its pages are pictures of text: it needs OCR");
    }
    out_.set_title(named_title());
    return out_.take();
  }

 private:
  void read_page(int index) {
    PendingPage pending;
    pending.page = source_.read_page(index);
    pending.first_text = texts_.size();
    const std::string name = "page " + std::to_string(index + 1);
    if (pending.page.texts.empty() && is_picture(index)) {
      pending.note = name + " is a picture: it needs OCR";
      ++num_pictures_;
    } else if (pending.page.is_garbled) {
      pending.note = name + " does not say which letters its fonts show: it needs OCR";
      pending.page.texts.clear();
      ++num_pictures_;
    }
    for (PdfText& text : pending.page.texts) {
      LaidOutPage laid_out;
      laid_out.height = text.rotation % 2 == 0 ? pending.page.height : pending.page.width;
      laid_out.regions = lay_out_page(text.words);
      text.words = {};
      learn(laid_out);
      texts_.push_back(std::move(laid_out));
    }
    pages_.push_back(std::move(pending));
  }

  // Drawing pages takes time: when the first ones without text are pictures, so are the others.
  bool is_picture(int index) {
    constexpr int kMaxDrawn = 16;
    if (num_drawn_ >= kMaxDrawn) {
      return num_pictures_ > 0;
    }
    ++num_drawn_;
    return source_.has_ink(index);
  }

  void learn(const LaidOutPage& laid_out) {
    for (const PageRegion& region : laid_out.regions) {
      for (const PageLine& line : region.lines) {
        const std::string text = line.text();
        held_bytes_ += text.size();
        hyphenation_.learn(text);
      }
    }
    if (held_bytes_ > limits_.max_text_bytes) {
      throw FormatError(ReadFailure::Kind::over_limit,
                        "its text is longer than " + std::to_string(limits_.max_text_bytes >> 20) + " MiB");
    }
  }

  void write_page(std::size_t index, const PrintMeasures& measures) {
    const PendingPage& pending = pages_[index];
    out_.begin_page("");
    if (!pending.note.empty()) {
      out_.add_note(pending.note);
    }
    for (std::size_t text = 0; text < pending.page.texts.size(); ++text) {
      const int rotation = pending.page.texts[text].rotation;
      for (const PageBlock& block :
           make_page_blocks(texts_[pending.first_text + text], measures, hyphenation_)) {
        const Box box = pending.page.on_page(block.box, rotation);
        if (block.kind == BlockKind::table_row || block.kind == BlockKind::table_header) {
          out_.add_row(block.kind, block.cells, box);
        } else {
          out_.add(block.kind, block.text, block.level, box);
        }
        note_title(block);
      }
    }
  }

  // The largest heading of the first page, where the file states no title.
  void note_title(const PageBlock& block) {
    if (out_.page() == 1 && block.kind == BlockKind::heading && block.size > title_size_) {
      title_ = block.text;
      title_size_ = block.size;
    }
  }

  std::string named_title() const {
    const std::string stated = source_.title();
    const bool is_file_name = stated.find(' ') == std::string::npos && stated.find('.') != std::string::npos;
    return stated.empty() || is_file_name || stated == "untitled" ? title_ : stated;
  }

  PdfSource source_;
  const ReadLimits& limits_;
  BlockAssembler out_;
  std::vector<PendingPage> pages_;
  std::vector<LaidOutPage> texts_;  // of all pages and directions
  Hyphenation hyphenation_;
  std::size_t held_bytes_ = 0;
  int num_pictures_ = 0, num_drawn_ = 0;
  std::string title_;
  float title_size_ = 0;
};

ReadOutcome PdfReader::read_pdf(std::string_view bytes, const ReadLimits& limits) {
  if (bytes.substr(0, 1024).find("%PDF-") == std::string_view::npos) {
    throw FormatError(ReadFailure::Kind::damaged, "it does not begin as a PDF does");
  }
  return PdfDocument(bytes, limits).read();
}

}  // namespace

std::unique_ptr<DocumentReader> make_pdf_reader() { return std::make_unique<PdfReader>(); }

}  // namespace parley::retrieval::documents
