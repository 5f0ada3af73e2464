#include "inference/tokenizer/byte_pair_encoder.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace parley::inference::tokenizer {
namespace {

using Rank = MergeTable::Rank;

constexpr std::uint32_t kNowhere = UINT32_MAX;

// Up to this many bytes looking at all pairs is cheaper than keeping a queue, and still a bounded factor.
constexpr std::size_t kMaxShort = 24;

}  // namespace

void BytePairEncoder::encode(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const {
  assert(piece.size() < kNowhere);
  if (piece.size() <= kMaxShort) {
    encode_short(piece, scratch, out);
  } else {
    encode_long(piece, scratch, out);
  }
}

void BytePairEncoder::encode_short(std::string_view piece, Scratch& scratch,
                                   std::vector<TokenId>& out) const {
  std::array<TokenId, kMaxShort> tokens;
  std::array<Rank, kMaxShort> ranks;  // ranks[i] joins tokens i and i + 1
  std::size_t size = 0;
  for (const char byte : piece) {
    const TokenId token = byte_tokens_[static_cast<unsigned char>(byte)];
    if (token != kNoToken) tokens[size++] = token;
  }
  for (std::size_t index = 0; index + 1 < size; ++index) {
    ranks[index] = merges_.find(tokens[index], tokens[index + 1]);
  }
  scratch.num_steps += size;
  while (size > 1) {
    scratch.num_steps += size;
    const auto lowest = std::min_element(ranks.begin(), ranks.begin() + size - 1);
    if (*lowest == MergeTable::kNoRank) break;
    const auto at = static_cast<std::size_t>(lowest - ranks.begin());
    tokens[at] = merges_.result(*lowest);
    std::copy(tokens.begin() + at + 2, tokens.begin() + size, tokens.begin() + at + 1);
    std::copy(lowest + 1, ranks.begin() + size - 1, lowest);
    --size;
    if (at > 0) ranks[at - 1] = merges_.find(tokens[at - 1], tokens[at]);
    if (at + 1 < size) ranks[at] = merges_.find(tokens[at], tokens[at + 1]);
  }
  out.insert(out.end(), tokens.begin(), tokens.begin() + size);
}

// Symbols are a linked list over the piece's bytes. The queue may hold a pair that is gone or has changed:
// then its rank is not the symbol's any more, and it is passed over.
void BytePairEncoder::encode_long(std::string_view piece, Scratch& scratch, std::vector<TokenId>& out) const {
  fill_symbols(piece, scratch);
  auto& symbols = scratch.symbols;
  auto& queue = scratch.queue;
  std::make_heap(queue.begin(), queue.end(), std::greater<>());
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    const auto position = static_cast<std::uint32_t>(queue.back());
    const auto rank = static_cast<Rank>(queue.back() >> 32);
    queue.pop_back();
    ++scratch.num_steps;
    if (symbols[position].rank == rank) join(position, scratch);
  }
  for (const Scratch::Symbol& symbol : symbols) {
    if (symbol.token != kNoToken) out.push_back(symbol.token);
  }
}

void BytePairEncoder::fill_symbols(std::string_view piece, Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  symbols.clear();
  scratch.queue.clear();
  for (const char byte : piece) {
    const TokenId token = byte_tokens_[static_cast<unsigned char>(byte)];
    const auto position = static_cast<std::uint32_t>(symbols.size());
    if (token != kNoToken) symbols.push_back({token, MergeTable::kNoRank, position - 1, position + 1});
  }
  if (symbols.empty()) return;
  symbols.front().previous = kNowhere;
  symbols.back().next = kNowhere;
  for (std::uint32_t position = 0; position + 1 < symbols.size(); ++position) {
    Scratch::Symbol& symbol = symbols[position];
    symbol.rank = merges_.find(symbol.token, symbols[position + 1].token);
    if (symbol.rank != MergeTable::kNoRank) {
      scratch.queue.push_back(static_cast<std::uint64_t>(symbol.rank) << 32 | position);
    }
  }
  scratch.num_steps += symbols.size();
}

void BytePairEncoder::join(std::uint32_t position, Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  Scratch::Symbol& left = symbols[position];
  Scratch::Symbol& right = symbols[left.next];
  left.token = merges_.result(left.rank);
  left.next = right.next;
  if (left.next != kNowhere) symbols[left.next].previous = position;
  right.token = kNoToken;
  right.rank = MergeTable::kNoRank;
  if (left.previous != kNowhere) rank_pair(left.previous, scratch);
  rank_pair(position, scratch);
}

void BytePairEncoder::rank_pair(std::uint32_t position, Scratch& scratch) const {
  auto& symbols = scratch.symbols;
  Scratch::Symbol& symbol = symbols[position];
  symbol.rank = MergeTable::kNoRank;
  if (symbol.next == kNowhere) return;
  ++scratch.num_steps;
  symbol.rank = merges_.find(symbol.token, symbols[symbol.next].token);
  if (symbol.rank == MergeTable::kNoRank) return;
  scratch.queue.push_back(static_cast<std::uint64_t>(symbol.rank) << 32 | position);
  std::push_heap(scratch.queue.begin(), scratch.queue.end(), std::greater<>());
}

}  // namespace parley::inference::tokenizer
