#pragma once
// Puts a document together whose text is not its file's own: blocks one behind the other, white space
// between. One owner.

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

struct NewBlock {
  BlockKind kind = BlockKind::paragraph;
  int level = 0;
  ByteRange original;  // in the file's decoded text; empty: not known
  int page = 0;
  bool goes_on = false;  // the block before: on the next line, without a blank one between
};

class BlockWriter {
 public:
  explicit BlockWriter(const ReadLimits& limits) : limits_(limits) {}

  // The text is normalised (text_decoding.h) and without white space at its ends, but for code, whose lines
  // stay. Nothing is added for a blank one, nor once a limit is passed.
  void add(const NewBlock& block, std::string_view text);
  // A text with its blocks as a whole, as add would put them one by one. `original` is where the text begins
  // in the file's decoded text; npos: not known.
  void append(std::string_view text, const std::vector<Block>& blocks, std::size_t original);

  bool over_limit() const { return over_limit_; }
  bool empty() const { return document_.blocks.empty(); }

  static constexpr std::size_t kUnknown = std::string_view::npos;

  // With the text and blocks written, and title, media type, encoding, pages and notes of `rest`. A
  // ReadFailure when nothing was written (empty), or too much (over_limit).
  ReadOutcome finish(Document rest) &&;

 private:
  Block* place(const NewBlock& block, std::string_view text);

  ReadLimits limits_;
  Document document_;
  bool over_limit_ = false;
};

}  // namespace parley::retrieval::documents
