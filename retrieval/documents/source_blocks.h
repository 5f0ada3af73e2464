#pragma once
// Blocks over a text that stays as its file has it: ranges of text and original are the same. One owner.

#include <string>
#include <string_view>
#include <vector>

#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/text_decoding.h"

namespace parley::retrieval::documents {

class SourceBlocks {
 public:
  // The view must live as long.
  SourceBlocks(std::string_view text, const ReadLimits& limits)
      : text_(text), max_blocks_(limits.max_blocks) {}

  // Without white space at its ends (code keeps the indentation of its first line); a blank range is passed
  // over. Must lie behind the block before. Once there are max_blocks, the last one grows instead.
  void add(BlockKind kind, ByteRange range, int level = 0, ByteRange words = {});
  // Each stretch between blank lines is a block of that kind.
  void add_stretches(BlockKind kind, ByteRange range);
  bool empty() const { return blocks_.empty(); }
  std::vector<Block> take() { return std::move(blocks_); }

 private:
  std::string_view text_;
  std::size_t max_blocks_;
  std::vector<Block> blocks_;
};

struct SourceDocument {
  DecodedText input;
  std::vector<Block> blocks;
  std::string media_type;
  std::string title;
};

// The text as it is, with these blocks. A ReadFailure (empty) when there are none.
ReadOutcome source_outcome(SourceDocument source);

// The words of the first block when it is a heading of level 1; a file's title by convention.
std::string leading_heading(std::string_view text, const std::vector<Block>& blocks);

ReadFailure no_text_failure();

}  // namespace parley::retrieval::documents
