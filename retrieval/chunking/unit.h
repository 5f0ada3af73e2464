#pragma once
// The smallest stretch of text that is worth keeping whole: what passages are packed from. A value.

#include <cstddef>

#include "retrieval/documents/document.h"

namespace parley::retrieval::chunking {

struct Unit {
  documents::ByteRange range;  // in Document::text, no white space at its ends
  int cost = 1;                // its tokens, or more where kMaxBytesPerToken says so; at least 1
  int break_score = 0;         // how good a passage's border before it is, 0 to 100
  std::size_t block = 0;       // the number of the block it was cut from
  bool is_heading = false;
  bool is_sentence = false;     // cut out of running text at sentence borders: may be repeated as overlap
  documents::ByteRange header;  // of its table, to be repeated where a passage begins with it; empty: none
  int header_cost = 0;
  int page = 0;
  documents::Box box;
};

// Scores of a passage's border by what follows it, after the idea of tobi/qmd.
inline constexpr int kScorePage = 30;
inline constexpr int kScoreFence = 80;  // between code and anything else
inline constexpr int kScoreTable = 60;  // between a table and anything else
inline constexpr int kScoreBlock = 20;  // a blank line
inline constexpr int kScoreListItem = 12;
inline constexpr int kScoreRow = 10;
inline constexpr int kScoreSentence = 4;
inline constexpr int kScoreLine = 3;
inline constexpr int kScoreForced = 1;

}  // namespace parley::retrieval::chunking
