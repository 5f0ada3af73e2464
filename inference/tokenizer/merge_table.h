#pragma once
// The merges of a byte-pair vocabulary: which two tokens join, in which order of precedence, and into what.
// An open-addressing table of 16-byte slots, at most half full: one cache line a look-up as a rule.
// Immutable once filled, any thread. Never fails.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/tokenizer/tokenizer.h"

namespace parley::inference::tokenizer {

inline constexpr TokenId kNoToken = -1;

class MergeTable {
 public:
  // Precedence of a merge, 0 first.
  using Rank = std::uint32_t;
  static constexpr Rank kNoRank = UINT32_MAX;

  explicit MergeTable(std::size_t num_merges);

  // Merges come in order of precedence, at most num_merges of them. False: the pair is there already.
  bool add(TokenId left, TokenId right, TokenId result);

  // kNoRank if the two do not join.
  Rank find(TokenId left, TokenId right) const;

  TokenId result(Rank rank) const { return results_[rank]; }

 private:
  struct Slot {
    std::uint64_t pair = 0;
    Rank rank = kNoRank;  // kNoRank: empty
  };

  std::size_t slot_of(std::uint64_t pair) const;

  std::size_t mask_ = 0;  // number of slots, a power of two, less one
  std::vector<Slot> slots_;
  std::vector<TokenId> results_;  // by rank
};

}  // namespace parley::inference::tokenizer
