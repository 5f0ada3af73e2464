#pragma once
// Cuts blocks into units: whole where they may not be cut, sentences of longer running text, and ever smaller
// parts of what is longer than the limit. One thread at a time.
//
// Every byte that is no white space goes into exactly one unit, units come in the order of the text, and each
// is handed over as soon as it is known: memory does not grow with the text. The counter is handed each byte
// at most five times.

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "retrieval/chunking/chunker.h"
#include "retrieval/chunking/text_breaks.h"
#include "retrieval/chunking/unit.h"
#include "retrieval/documents/document.h"

namespace parley::retrieval::chunking {

class BlockSplitter {
 public:
  // `text` and `counter` outlive it.
  BlockSplitter(std::string_view text, const TokenCounter& counter, int max_tokens,
                std::function<void(const Unit&)> sink);

  // Blocks in the order of the text; ranges as they should be.
  void split(const documents::Block& block);
  int num_forced_cuts() const { return num_forced_cuts_; }

 private:
  // What a block's units have in common, and the score of the next one.
  struct Piece {
    Unit unit;
    int limit = 0;       // tokens a unit may have
    int next_score = 0;  // of the units behind the first
  };

  enum class Cut { where_wanted, by_force };

  void follow_table(const documents::Block& block);
  int score_before(const documents::Block& block) const;
  void split_running_text(std::string_view text, Piece& piece, Cut cut);
  void cut_by_force(std::string_view text, Piece& piece);
  void cut_into_lines(std::string_view text, Piece& piece);
  void cut_into_words(std::string_view text, Piece& piece);
  void cut_into_characters(std::string_view text, Piece& piece);
  void cut_into_code_points(std::string_view text, Piece& piece);
  void emit(std::string_view text, int cost, Piece& piece);

  int cost_of(std::string_view text) const;
  std::string_view part(documents::ByteRange range) const {
    return text_.substr(range.begin, range.end - range.begin);
  }
  documents::ByteRange range_of(std::string_view part) const;

  std::string_view text_;
  const TokenCounter& counter_;
  int max_tokens_;
  std::function<void(const Unit&)> sink_;
  TextBreaks sentences_{BreakKind::sentence};
  TextBreaks words_{BreakKind::word};
  TextBreaks characters_{BreakKind::character};

  std::optional<documents::BlockKind> previous_kind_;
  int previous_page_ = 0;
  std::size_t num_blocks_ = 0;
  documents::ByteRange header_;     // of the table that is being read
  std::optional<int> header_cost_;  // counted when its first row comes
  int num_forced_cuts_ = 0;
};

}  // namespace parley::retrieval::chunking
