#include "inference/tokenizer/merge_table.h"

#include <bit>

namespace parley::inference::tokenizer {
namespace {

std::uint64_t pair_of(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
         static_cast<std::uint32_t>(right);
}

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), first half: neighbouring ids scatter.
std::uint64_t scatter(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  return value ^ value >> 31;
}

}  // namespace

MergeTable::MergeTable(std::size_t num_merges)
    : mask_(std::bit_ceil(2 * num_merges + 1) - 1), slots_(mask_ + 1) {
  results_.reserve(num_merges);
}

// The slot that holds the pair, or the empty one where it would go.
std::size_t MergeTable::slot_of(std::uint64_t pair) const {
  std::size_t index = scatter(pair) & mask_;
  while (slots_[index].rank != kNoRank && slots_[index].pair != pair) index = (index + 1) & mask_;
  return index;
}

bool MergeTable::add(TokenId left, TokenId right, TokenId result) {
  const std::uint64_t pair = pair_of(left, right);
  Slot& slot = slots_[slot_of(pair)];
  if (slot.rank != kNoRank) return false;
  slot = {pair, static_cast<Rank>(results_.size())};
  results_.push_back(result);
  return true;
}

MergeTable::Rank MergeTable::find(TokenId left, TokenId right) const {
  return slots_[slot_of(pair_of(left, right))].rank;
}

}  // namespace parley::inference::tokenizer
