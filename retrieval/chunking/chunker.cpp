#include "retrieval/chunking/chunker.h"

#include <algorithm>
#include <utility>

#include "retrieval/chunking/block_splitter.h"
#include "retrieval/chunking/heading_path.h"
#include "retrieval/chunking/passage_packer.h"
#include "retrieval/chunking/text_breaks.h"

namespace parley::retrieval::chunking {
namespace {

using documents::Block;
using documents::BlockKind;
using documents::ByteRange;
using documents::Document;

constexpr int kLeastMaxTokens = 16;

ChunkOptions usable(ChunkOptions options) {
  options.max_tokens = std::max(options.max_tokens, kLeastMaxTokens);
  options.target_tokens = std::clamp(options.target_tokens, kLeastMaxTokens, options.max_tokens);
  return options;
}

// The blocks of a section go into the same passages, those of the next one into others. A heading without
// anything below it goes with the next section.
class DocumentChunker {
 public:
  DocumentChunker(const Document& document, const TokenCounter& counter, const ChunkOptions& options)
      : document_(document),
        options_(usable(options)),
        packer_(document.text, counter, options_, result_.chunks),
        splitter_(document.text, counter, options_.max_tokens,
                  [this](const Unit& unit) { packer_.add(unit); }) {}

  ChunkedDocument run() {
    for (const Block& block : document_.blocks) {
      const std::size_t begin = border(std::max(block.range.begin, at_));
      const std::size_t end = border(std::max(block.range.end, begin));
      add_gap(begin);
      add(block, {.begin = begin, .end = end});
      page_ = block.page;
    }
    add_gap(document_.text.size());
    packer_.finish_section();
    result_.num_forced_cuts = splitter_.num_forced_cuts();
    return std::move(result_);
  }

 private:
  // The next place from `at` on where a character begins.
  std::size_t border(std::size_t at) const {
    at = std::min(at, document_.text.size());
    while (at < document_.text.size() && (document_.text[at] & 0xC0) == 0x80) {
      ++at;
    }
    return at;
  }

  // Between blocks there should be white space only.
  void add_gap(std::size_t end) {
    Block block;
    block.page = page_;
    add(block, {.begin = at_, .end = end});
  }

  void add(Block block, ByteRange range) {
    at_ = range.end;
    block.range = range;
    const std::string_view content =
        trimmed(std::string_view(document_.text).substr(range.begin, range.end - range.begin));
    if (content.empty()) {
      return;
    }
    if (block.kind != BlockKind::heading) {
      section_has_body_ = true;
    } else {
      if (section_has_body_ || packer_.waiting_tokens() > options_.target_tokens / 2) {
        packer_.finish_section();
        section_has_body_ = false;
      }
      const ByteRange words = block.words;
      const bool has_words = words.begin >= range.begin && words.end <= range.end && words.begin < words.end;
      path_.enter(block.level,
                  has_words ? std::string_view(document_.text).substr(words.begin, words.end - words.begin)
                            : content);
      packer_.set_heading_path(path_.texts());
    }
    splitter_.split(block);
  }

  const Document& document_;
  const ChunkOptions options_;
  ChunkedDocument result_;
  PassagePacker packer_;
  BlockSplitter splitter_;
  HeadingPath path_;
  std::size_t at_ = 0;  // up to here everything is in a unit
  int page_ = 0;
  bool section_has_body_ = false;
};

}  // namespace

ChunkedDocument chunk_document(const Document& document, const TokenCounter& counter,
                               const ChunkOptions& options) {
  return DocumentChunker(document, counter, options).run();
}

}  // namespace parley::retrieval::chunking
