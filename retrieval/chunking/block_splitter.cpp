#include "retrieval/chunking/block_splitter.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace parley::retrieval::chunking {
namespace {

using documents::Block;
using documents::BlockKind;

constexpr int kOverLimit = std::numeric_limits<int>::max() / 4;
// Running text up to this part of the limit is kept whole; what is cut by force goes into pieces of this
// size.
constexpr int kPartOfLimit = 4;
constexpr int kShortSentence = 3;
constexpr int kMaxPieceBytes = 24;  // of a word that is cut

bool is_table(BlockKind kind) { return kind == BlockKind::table_header || kind == BlockKind::table_row; }

bool is_running_text(BlockKind kind) {
  return kind == BlockKind::paragraph || kind == BlockKind::list_item || kind == BlockKind::quote;
}

// The same bytes, but with the line ends of wrapped text as spaces: to ICU each line end is a sentence's end.
std::string unwrapped(std::string_view text) {
  std::string flat(text);
  for (std::size_t at = 1; at + 1 < flat.size(); ++at) {
    if (text[at] == '\n' && text[at - 1] != '\n' && text[at + 1] != '\n') {
      flat[at] = ' ';
    }
  }
  return flat;
}

// Bytes of a piece of a cut word, so that it fits even where each byte is a token.
std::size_t piece_bytes(int limit) {
  return static_cast<std::size_t>(std::clamp(limit / 2, 1, kMaxPieceBytes));
}

}  // namespace

BlockSplitter::BlockSplitter(std::string_view text, const TokenCounter& counter, int max_tokens,
                             std::function<void(const Unit&)> sink)
    : text_(text), counter_(counter), max_tokens_(max_tokens), sink_(std::move(sink)) {}

void BlockSplitter::split(const Block& block) {
  const std::string_view text = trimmed(part(block.range));
  if (text.empty()) {
    return;
  }
  Piece piece;
  piece.unit.block = num_blocks_++;
  piece.unit.break_score = score_before(block);
  piece.unit.is_heading = block.kind == BlockKind::heading;
  piece.unit.page = block.page;
  piece.unit.box = block.box;
  follow_table(block);
  if (block.kind == BlockKind::table_row && header_cost_.value_or(0) > 0) {
    piece.unit.header = header_;
    piece.unit.header_cost = *header_cost_;
  }
  piece.limit = max_tokens_ - piece.unit.header_cost;
  // Code keeps the indentation of its first line.
  const std::string_view kept = block.kind == BlockKind::code
                                    ? text_.substr(block.range.begin, range_of(text).end - block.range.begin)
                                    : text;
  const int cost = cost_of(kept);
  if (cost <= (is_running_text(block.kind) ? piece.limit / kPartOfLimit : piece.limit)) {
    emit(kept, cost, piece);
  } else if (is_running_text(block.kind)) {
    split_running_text(text, piece, Cut::where_wanted);
  } else if (block.kind == BlockKind::code) {
    ++num_forced_cuts_;
    cut_into_lines(kept, piece);
  } else {
    ++num_forced_cuts_;
    split_running_text(text, piece, Cut::by_force);
  }
  previous_kind_ = block.kind;
  previous_page_ = block.page;
}

// The header rows of a table follow each other and stand before its rows; they are counted when a row comes.
void BlockSplitter::follow_table(const Block& block) {
  if (block.kind == BlockKind::table_header) {
    const bool goes_on = previous_kind_ == BlockKind::table_header;
    header_ = {.begin = goes_on ? header_.begin : block.range.begin, .end = block.range.end};
    header_cost_.reset();
  } else if (block.kind == BlockKind::table_row && previous_kind_ && is_table(*previous_kind_)) {
    if (!header_cost_) {
      header_ = range_of(trimmed(part(header_)));
      const int cost = cost_of(part(header_));
      header_cost_ = cost <= max_tokens_ / 2 ? cost : 0;  // a longer one would leave no room for rows
    }
  } else {
    header_ = {};
    header_cost_ = 0;
  }
}

int BlockSplitter::score_before(const Block& block) const {
  const bool after_code = previous_kind_ == BlockKind::code;
  const bool after_table = previous_kind_ && is_table(*previous_kind_);
  if (previous_kind_ == BlockKind::heading && block.kind != BlockKind::heading) {
    return 0;  // a heading stays with what it heads
  }
  int score = after_code ? kScoreFence : after_table ? kScoreTable : kScoreBlock;
  switch (block.kind) {
    case BlockKind::heading:
      score = std::max(50, 100 - 10 * (std::clamp(block.level, 1, 9) - 1));
      break;
    case BlockKind::list_item:
      score = after_code || after_table ? score : kScoreListItem - 2 * (std::clamp(block.level, 1, 4) - 1);
      break;
    case BlockKind::code:
      score = after_code ? kScoreBlock : kScoreFence;
      break;
    case BlockKind::table_header:
    case BlockKind::table_row:
      score = after_table ? kScoreRow : kScoreTable;
      break;
    case BlockKind::paragraph:
    case BlockKind::quote:
      break;
  }
  return previous_kind_ && block.page != previous_page_ ? std::max(score, kScorePage) : score;
}

void BlockSplitter::split_running_text(std::string_view text, Piece& piece, Cut cut) {
  const std::string flat = unwrapped(text);
  sentences_.begin(flat);
  piece.unit.is_sentence = cut == Cut::where_wanted;
  std::size_t begin = 0;
  while (const auto end = sentences_.next_end()) {
    const std::string_view sentence = trimmed(text.substr(begin, *end - begin));
    begin = *end;
    if (sentence.empty()) {
      continue;
    }
    piece.next_score = kScoreSentence;
    if (const int cost = cost_of(sentence); cost <= piece.limit) {
      // "2.7.", "Mr.": what follows it belongs to it.
      piece.next_score = cost <= kShortSentence ? kScoreForced : kScoreSentence;
      emit(sentence, cost, piece);
      continue;
    }
    num_forced_cuts_ += cut == Cut::by_force ? 0 : 1;
    piece.unit.is_sentence = false;
    cut_into_lines(sentence, piece);
    piece.unit.is_sentence = cut == Cut::where_wanted;
    piece.unit.break_score = std::max(piece.unit.break_score, kScoreSentence);
  }
}

void BlockSplitter::cut_into_lines(std::string_view text, Piece& piece) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    piece.next_score = kScoreLine;
    const std::string_view content = trimmed(line);
    if (content.empty()) {  // code goes well apart at its blank lines
      piece.unit.break_score = std::max(piece.unit.break_score, kScoreListItem);
      continue;
    }
    const std::string_view kept = line.substr(0, range_of(content).end - range_of(line).begin);
    if (const int cost = cost_of(kept); cost <= piece.limit) {
      emit(kept, cost, piece);
    } else {
      cut_into_words(content, piece);
      piece.unit.break_score = kScoreLine;
    }
  }
}

void BlockSplitter::cut_into_words(std::string_view text, Piece& piece) {
  piece.next_score = kScoreForced;
  const int enough = std::max(1, piece.limit / kPartOfLimit);
  std::size_t piece_begin = 0;
  std::size_t begin = 0;
  int piece_cost = 0;
  const auto flush = [&](std::size_t end) {
    if (const auto pending = trimmed(text.substr(piece_begin, end - piece_begin)); !pending.empty()) {
      emit(pending, std::max(piece_cost, static_cast<int>(pending.size()) / kMaxBytesPerToken + 1), piece);
    }
    piece_begin = end;
    piece_cost = 0;
  };
  words_.begin(text);
  while (const auto end = words_.next_end()) {
    const std::string_view word = trimmed(text.substr(begin, *end - begin));
    const int cost = word.empty() ? static_cast<int>((*end - begin) / kMaxBytesPerToken) : cost_of(word);
    if (piece_cost > 0 && piece_cost + cost > enough) {
      flush(begin);
    }
    if (!word.empty() && cost > piece.limit) {
      flush(begin);
      cut_into_characters(word, piece);
      piece_begin = *end;
    } else {
      piece_cost += cost;
    }
    begin = *end;
  }
  flush(text.size());
}

void BlockSplitter::cut_into_characters(std::string_view text, Piece& piece) {
  const std::size_t enough = piece_bytes(piece.limit);
  characters_.begin(text);
  std::size_t begin = 0;
  std::size_t end = 0;  // of the characters that were looked at
  const auto flush = [&] {
    const std::string_view characters = text.substr(begin, end - begin);
    begin = end;
    if (trimmed(characters).empty()) {
      return;
    }
    if (const int cost = cost_of(characters); cost <= piece.limit) {
      emit(characters, cost, piece);
    } else {
      cut_into_code_points(characters, piece);  // no person's character is that long
    }
  };
  while (const auto next = characters_.next_end()) {
    if (end > begin && *next - begin > enough) {
      flush();
    }
    end = *next;
  }
  flush();
}

void BlockSplitter::cut_into_code_points(std::string_view text, Piece& piece) {
  const std::size_t enough = piece_bytes(piece.limit);
  while (!text.empty()) {
    std::size_t end = std::min(enough, text.size());
    while (end < text.size() && end > 1 && (text[end] & 0xC0) == 0x80) {
      --end;
    }
    while (end < text.size() && (text[end] & 0xC0) == 0x80) {  // one character is longer than that
      ++end;
    }
    emit(text.substr(0, end), cost_of(text.substr(0, end)), piece);
    text.remove_prefix(end);
  }
}

void BlockSplitter::emit(std::string_view text, int cost, Piece& piece) {
  piece.unit.range = range_of(text);
  piece.unit.cost = cost;
  sink_(piece.unit);
  piece.unit.break_score = piece.next_score;
}

int BlockSplitter::cost_of(std::string_view text) const {
  const auto by_bytes = static_cast<std::int64_t>(text.size() / kMaxBytesPerToken) + 1;
  if (by_bytes > max_tokens_) {
    return kOverLimit;  // too long, whatever the counter would say
  }
  return std::max(static_cast<int>(by_bytes), counter_.count(text));
}

documents::ByteRange BlockSplitter::range_of(std::string_view part) const {
  const auto begin = static_cast<std::size_t>(part.data() - text_.data());
  return {.begin = begin, .end = begin + part.size()};
}

}  // namespace parley::retrieval::chunking
