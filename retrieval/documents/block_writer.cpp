#include "retrieval/documents/block_writer.h"

#include <utility>

#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_decoding.h"
#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

bool is_row(BlockKind kind) { return kind == BlockKind::table_row || kind == BlockKind::table_header; }

// Rows of a table and items of a list follow each other line by line; all else has a blank line between.
bool stands_close(BlockKind before, BlockKind kind) {
  return (is_row(before) && kind == BlockKind::table_row) ||
         (before == BlockKind::list_item && kind == BlockKind::list_item);
}

std::string_view without_outer_space(BlockKind kind, std::string_view text) {
  const ByteRange inner = trimmed(text, {0, text.size()});
  if (kind != BlockKind::code || inner.begin == inner.end) return text_of(text, inner);
  const std::size_t line = text.rfind('\n', inner.begin);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  return text.substr(begin, inner.end - begin);
}

}  // namespace

Block* BlockWriter::place(const NewBlock& block, std::string_view text) {
  const std::string_view inner = without_outer_space(block.kind, text);
  if (inner.empty() || over_limit_) return nullptr;
  if (document_.text.size() + inner.size() + 2 > limits_.max_text_bytes ||
      document_.blocks.size() >= limits_.max_blocks) {
    over_limit_ = true;
    return nullptr;
  }
  std::string& out = document_.text;
  if (!out.empty())
    out += block.goes_on || stands_close(document_.blocks.back().kind, block.kind) ? "\n" : "\n\n";
  Block placed;
  placed.kind = block.kind;
  placed.level = block.level;
  placed.original = block.original;
  placed.page = block.page;
  placed.range = {out.size(), out.size() + inner.size()};
  out += inner;
  document_.blocks.push_back(placed);
  return &document_.blocks.back();
}

void BlockWriter::add(const NewBlock& block, std::string_view text) { place(block, normalised_text(text)); }

void BlockWriter::append(std::string_view text, const std::vector<Block>& blocks, std::size_t original) {
  for (const Block& block : blocks) {
    NewBlock copy;
    copy.kind = block.kind;
    copy.level = block.level;
    if (original != kUnknown) copy.original = {original + block.range.begin, original + block.range.end};
    Block* placed = place(copy, text_of(text, block.range));
    if (placed == nullptr || block.words.begin == block.words.end) continue;
    const std::size_t moved = placed->range.begin;  // the block's range has no white space at its ends
    placed->words = {block.words.begin - block.range.begin + moved,
                     block.words.end - block.range.begin + moved};
  }
}

ReadOutcome BlockWriter::finish(Document rest) && {
  if (over_limit_) {
    return ReadFailure{ReadFailure::Kind::over_limit,
                       "Its text is larger than " + std::to_string(limits_.max_text_bytes >> 20) +
                           " MB, or has more than " + std::to_string(limits_.max_blocks) + " parts."};
  }
  if (document_.blocks.empty()) return no_text_failure();
  rest.text = std::move(document_.text);
  rest.blocks = std::move(document_.blocks);
  return rest;
}

}  // namespace parley::retrieval::documents
