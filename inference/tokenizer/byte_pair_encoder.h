#pragma once
// Byte-pair encoding of one piece of text (Sennrich et al. 2016): again and again the pair of neighbours
// whose merge comes first in the table is joined, the leftmost first among equals. Immutable, any thread;
// each thread its own Scratch. Never fails. O(n log n) steps for n bytes, whatever they are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/tokenizer/merge_table.h"
#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::tokenizer {

class BytePairEncoder {
 public:
  // Memory that calls reuse, and a count of merge look-ups and queue operations, by which tests hold the
  // bound.
  struct Scratch {
    struct Symbol {
      TokenId token = kNoToken;                     // kNoToken: joined into one before it
      MergeTable::Rank rank = MergeTable::kNoRank;  // of the merge with its successor
      std::uint32_t previous = 0;
      std::uint32_t next = 0;
    };
    std::vector<Symbol> symbols;
    std::vector<std::uint64_t> queue;  // rank << 32 | position, a heap with the smallest on top
    std::size_t num_steps = 0;
  };

  // Token of each single byte; kNoToken where the vocabulary has none: such bytes are left out before
  // merging, as the `tokenizers` library does it, so their neighbours may join.
  BytePairEncoder(const std::array<TokenId, 256>& byte_tokens, MergeTable merges)
      : byte_tokens_(byte_tokens), merges_(std::move(merges)) {}

  // Appends the tokens of `piece`, which is shorter than 4 GiB.
  void encode(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const;

 private:
  void encode_short(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const;
  void encode_long(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const;
  void fill_symbols(std::string_view piece, Scratch& scratch) const;
  void join(std::uint32_t position, Scratch& scratch) const;
  void rank_pair(std::uint32_t position, Scratch& scratch) const;

  std::array<TokenId, 256> byte_tokens_;
  MergeTable merges_;
};

}  // namespace parley::inference::tokenizer
