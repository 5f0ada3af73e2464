#include "retrieval/documents/source_blocks.h"

#include <algorithm>
#include <utility>

#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

// Back to the beginning of its line, where only white space lies between.
std::size_t with_indentation(std::string_view text, std::size_t begin, std::size_t limit) {
  while (begin > limit && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  return begin;
}

}  // namespace

void SourceBlocks::add(BlockKind kind, ByteRange range, int level, ByteRange words) {
  ByteRange inner = trimmed(text_, range);
  if (inner.begin == inner.end) return;
  if (kind == BlockKind::code) inner.begin = with_indentation(text_, inner.begin, range.begin);
  if (blocks_.size() >= max_blocks_ && !blocks_.empty()) {
    blocks_.back().range.end = inner.end;
    blocks_.back().original.end = inner.end;
    return;
  }
  Block block;
  block.kind = kind;
  block.level = level;
  block.range = inner;
  block.original = inner;
  block.words = trimmed(text_, words);
  if (block.words.begin == block.words.end) block.words = {};
  blocks_.push_back(block);
}

void SourceBlocks::add_stretches(BlockKind kind, ByteRange range) {
  std::size_t begin = range.begin;
  for (TextLine line = line_at(text_, range.begin); line.begin < range.end;
       line = line_at(text_, line.next)) {
    if (is_blank(text_of(text_, line))) {
      add(kind, {begin, line.begin});
      begin = std::min(line.next, range.end);
    }
  }
  add(kind, {begin, range.end});
}

ReadOutcome source_outcome(SourceDocument source) {
  if (source.blocks.empty()) return no_text_failure();
  Document document;
  document.text = std::move(source.input.text);
  document.encoding = std::move(source.input.encoding);
  document.blocks = std::move(source.blocks);
  document.media_type = std::move(source.media_type);
  document.title = std::move(source.title);
  return document;
}

std::string leading_heading(std::string_view text, const std::vector<Block>& blocks) {
  if (blocks.empty() || blocks.front().kind != BlockKind::heading || blocks.front().level != 1) return "";
  const Block& heading = blocks.front();
  std::string title(text_of(text, heading.words.end > 0 ? heading.words : heading.range));
  std::replace(title.begin(), title.end(), '\n', ' ');
  return title;
}

ReadFailure no_text_failure() { return {ReadFailure::Kind::empty, "There is no text in it."}; }

}  // namespace parley::retrieval::documents
