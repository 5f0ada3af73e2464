#include "retrieval/documents/outcome_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "retrieval/documents/byte_codec.h"
#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::size_t kMaxName = 4096;
constexpr std::size_t kMaxReason = 4096;
constexpr std::uint64_t kMaxLevel = 1'000'000;
constexpr std::uint64_t kMaxOriginal = std::uint64_t{1} << 40;
constexpr std::size_t kBlockBytes = 80;  // the longest that one is encoded to, rounded up
constexpr auto kLastKind = static_cast<std::uint64_t>(BlockKind::quote);
constexpr auto kLastFailure = static_cast<std::uint64_t>(ReadFailure::Kind::crashed);

std::string_view clipped(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

// Relative to `from`: blocks ascend, so numbers stay small.
void put_range(ByteWriter& out, ByteRange range, std::size_t from) {
  out.put(range.begin - from);
  out.put(range.end - range.begin);
}

void put_block(ByteWriter& out, const Block& block, std::size_t end_before) {
  const bool has_box = block.box.right != 0 || block.box.bottom != 0;
  out.put(static_cast<std::uint64_t>(block.kind) * 2 + (has_box ? 1 : 0));
  out.put(static_cast<std::uint64_t>(std::max(block.level, 0)));
  put_range(out, block.range, end_before);
  put_range(out, block.original, 0);
  const bool has_words = block.words.end > block.words.begin;
  out.put(has_words ? block.words.end - block.words.begin : 0);
  if (has_words) out.put(block.words.begin - block.range.begin);
  out.put(static_cast<std::uint64_t>(std::max(block.page, 0)));
  if (!has_box) return;
  for (const float side : {block.box.left, block.box.top, block.box.right, block.box.bottom})
    out.put_float(side);
}

void put_document(ByteWriter& out, const Document& document) {
  out.put_text(document.text);
  out.put_text(clipped(document.title, kMaxName));
  out.put_text(clipped(document.media_type, kMaxName));
  out.put_text(clipped(document.encoding, kMaxName));
  out.put(static_cast<std::uint64_t>(std::max(document.num_pages, 0)));
  out.put(document.page_names.size());
  for (const std::string& name : document.page_names) out.put_text(clipped(name, kMaxName));
  out.put(document.notes.size());
  for (const PageNote& note : document.notes) {
    out.put(static_cast<std::uint64_t>(std::max(note.page, 0)));
    out.put_text(clipped(note.reason, kMaxReason));
  }
  out.put(document.blocks.size());
  std::size_t end_before = 0;
  for (const Block& block : document.blocks) {
    put_block(out, block, end_before);
    end_before = block.range.end;
  }
}

std::string checked_text(ByteReader& in, std::size_t longest) {
  const std::string_view text = in.get_text(longest);
  if (!is_valid_utf8(text) || text.find('\0') != text.npos) in.fail();
  return in.failed() ? std::string() : std::string(text);
}

bool cuts_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

ByteRange get_range(ByteReader& in, std::size_t from, std::uint64_t most) {
  ByteRange range;
  range.begin = from + in.get(most - from);
  range.end = range.begin + in.get(most - range.begin);
  return range;
}

Block get_block(ByteReader& in, std::string_view text, std::size_t end_before, int num_pages) {
  Block block;
  const std::uint64_t kind = in.get(kLastKind * 2 + 1);
  block.kind = static_cast<BlockKind>(kind / 2);
  block.level = static_cast<int>(in.get(kMaxLevel));
  block.range = get_range(in, end_before, text.size());
  block.original = get_range(in, 0, kMaxOriginal);
  if (const std::size_t length = in.get(block.range.end - block.range.begin); length > 0) {
    block.words.begin = block.range.begin + in.get(block.range.end - block.range.begin - length);
    block.words.end = block.words.begin + length;
  }
  block.page = static_cast<int>(in.get(static_cast<std::uint64_t>(num_pages)));
  for (const std::size_t at : {block.range.begin, block.range.end, block.words.begin, block.words.end}) {
    if (cuts_character(text, at)) in.fail();
  }
  if (block.range.begin == block.range.end) in.fail();
  if (kind % 2 == 1) {
    for (float* side : {&block.box.left, &block.box.top, &block.box.right, &block.box.bottom}) {
      *side = in.get_float();
      if (!std::isfinite(*side)) in.fail();
    }
  }
  return block;
}

void get_pages(ByteReader& in, Document& document, const ReadLimits& limits) {
  document.num_pages = static_cast<int>(in.get(static_cast<std::uint64_t>(std::max(limits.max_pages, 0))));
  const auto pages = static_cast<std::uint64_t>(document.num_pages);
  const std::size_t names = in.get(pages);
  if (names != 0 && names != pages) in.fail();
  for (std::size_t i = 0; i < names && !in.failed(); ++i)
    document.page_names.push_back(checked_text(in, kMaxName));
  const std::size_t notes = in.get(pages + 1);
  for (std::size_t i = 0; i < notes && !in.failed(); ++i) {
    PageNote& note = document.notes.emplace_back();
    note.page = static_cast<int>(in.get(pages));
    note.reason = checked_text(in, kMaxReason);
  }
}

Document get_document(ByteReader& in, const ReadLimits& limits) {
  Document document;
  document.text = checked_text(in, limits.max_text_bytes);
  document.title = checked_text(in, kMaxName);
  document.media_type = checked_text(in, kMaxName);
  document.encoding = checked_text(in, kMaxName);
  get_pages(in, document, limits);
  const std::size_t blocks = in.get(limits.max_blocks);
  // A block takes eight bytes at least: a count alone reserves nothing that is not there.
  document.blocks.reserve(std::min(blocks, in.remaining() / 8));
  std::size_t end_before = 0;
  for (std::size_t i = 0; i < blocks && !in.failed(); ++i) {
    document.blocks.push_back(get_block(in, document.text, end_before, document.num_pages));
    end_before = document.blocks.back().range.end;
  }
  return document;
}

}  // namespace

std::string encoded_outcome(const ReadOutcome& outcome) {
  ByteWriter out;
  if (const auto* failure = std::get_if<ReadFailure>(&outcome)) {
    out.put(0);
    out.put(static_cast<std::uint64_t>(failure->kind));
    out.put_text(clipped(failure->reason, kMaxReason));
  } else {
    out.put(1);
    put_document(out, std::get<Document>(outcome));
  }
  return out.take();
}

std::optional<ReadOutcome> decoded_outcome(std::string_view bytes, const ReadLimits& limits) {
  ByteReader in(bytes);
  ReadOutcome outcome;
  if (in.get(1) == 0) {
    ReadFailure failure;
    failure.kind = static_cast<ReadFailure::Kind>(in.get(kLastFailure));
    failure.reason = checked_text(in, kMaxReason);
    outcome = std::move(failure);
  } else {
    outcome = get_document(in, limits);
  }
  if (in.failed() || in.remaining() > 0) return std::nullopt;
  return outcome;
}

std::size_t max_outcome_bytes(const ReadLimits& limits) {
  const auto pages = static_cast<std::size_t>(std::max(limits.max_pages, 0)) + 1;
  return limits.max_text_bytes + limits.max_blocks * kBlockBytes + pages * (kMaxName + kMaxReason + 32) +
         8 * kMaxName;
}

}  // namespace parley::retrieval::documents
