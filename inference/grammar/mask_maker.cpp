#include "inference/grammar/mask_maker.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

namespace parley::inference::grammar {
namespace {

constexpr std::size_t kMaxCacheBytes = std::size_t{2} << 20;
// Of one mask, in units of GrammarMachine. A grammar that needs more gets a mask that lacks tokens, but never
// all of them.
constexpr std::size_t kMaxMaskWork = 20'000'000;

}  // namespace

void MaskMaker::fill(State state, std::span<std::uint64_t> mask) { write(find(state), mask); }

void MaskMaker::write(const Entry& entry, std::span<std::uint64_t> mask) {
  std::span<const std::uint64_t> words = entry.mask;
  if (entry.slice != nullptr) words = entry.slice->mask;
  const std::size_t num_shared = std::min(words.size(), mask.size());
  std::copy_n(words.begin(), num_shared, mask.begin());
  std::fill(mask.begin() + static_cast<std::ptrdiff_t>(num_shared), mask.end(), 0);
  for (const TokenId token : entry.more) {  // set_bit() is not inlined here, and there may be thousands
    const std::size_t word = static_cast<std::size_t>(token) / 64;
    if (word < mask.size()) mask[word] |= std::uint64_t{1} << (token % 64);
  }
}

const MaskMaker::Entry& MaskMaker::find(State state) {
  const auto known = by_state_.find(state);
  if (known != by_state_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
    return entries_.front();
  }
  entries_.push_front(pack(state, make(state)));  // which may find another one
  by_state_[state] = entries_.begin();
  memory_ += entries_.front().memory();
  while (memory_ > kMaxCacheBytes && entries_.size() > 1) {
    memory_ -= entries_.back().memory();
    by_state_.erase(entries_.back().state);
    entries_.pop_back();
  }
  return entries_.front();
}

// What is beyond a slice is listed, where that is shorter than a mask.
MaskMaker::Entry MaskMaker::pack(State state, MaskWords mask) {
  Entry entry;
  entry.state = state;
  entry.slice = find_slice(state);
  const std::size_t max_listed = mask.size() * sizeof(std::uint64_t) / sizeof(TokenId);
  for (std::size_t i = 0; i < mask.size() && entry.more.size() < max_listed; ++i) {
    std::uint64_t beyond = entry.slice != nullptr ? mask[i] & ~entry.slice->mask[i] : mask[i];
    for (; beyond != 0; beyond &= beyond - 1) {
      entry.more.push_back(static_cast<TokenId>(64 * i + static_cast<std::size_t>(std::countr_zero(beyond))));
    }
  }
  if (entry.more.size() < max_listed) {
    entry.more.shrink_to_fit();
    return entry;
  }
  Entry whole;
  whole.state = state;
  whole.mask = std::move(mask);
  return whole;
}

// A mask for much room serves for less, but for the tokens that are too long.
void MaskMaker::refuse_too_long(State state, std::uint32_t room, MaskWords& mask) {
  for (const auto& [token, num_characters] : vocabulary_.long_texts()) {
    if (num_characters <= room) break;
    clear_bit(mask, token);
  }
  for (const TokenId token : vocabulary_.long_others()) {
    if (has_bit(mask, token) && !allows(state, token)) clear_bit(mask, token);
  }
}

// The largest one whose tokens may all follow; null: none.
const VocabularyIndex::Slice* MaskMaker::find_slice(State state) {
  std::array<std::optional<std::uint32_t>, kNumTextClasses> rooms;
  for (const VocabularyIndex::Slice& slice : vocabulary_.slices()) {
    std::optional<std::uint32_t>& room = rooms[static_cast<std::size_t>(slice.text)];
    if (!room) room = machine_.text_room(state, slice.text);
    if (slice.max_bytes <= *room) return &slice;
  }
  return nullptr;
}

// Looks for one byte that goes on, whatever that costs; all else is done within the limit.
void MaskMaker::begin_work(State state) {
  bool has_one = false;
  machine_.bytes(state).for_each(
      [&](std::uint8_t byte) { has_one = has_one || machine_.next(state, byte) != GrammarMachine::kDead; });
  machine_.set_work_limit(kMaxMaskWork);
}

MaskWords MaskMaker::make(State state) {
  const std::uint32_t room = machine_.text_room(state, TextClass::safe);
  const State twin = room >= VocabularyIndex::kLongText ? machine_.roomy_twin(state) : state;
  if (twin != state) {
    MaskWords mask(vocabulary_.num_words());
    fill(twin, mask);
    refuse_too_long(state, room, mask);
    return mask;
  }
  ++num_made_;
  begin_work(state);
  const VocabularyIndex::Slice* slice = find_slice(state);
  MaskWords mask = slice != nullptr ? slice->mask : MaskWords(vocabulary_.num_words());
  if (machine_.takes_tokens(state)) add_special_tokens(state, mask);
  for (int byte = 0; byte < 256; ++byte) machine_.next(state, static_cast<std::uint8_t>(byte));
  walk(state, slice, mask);
  add_long_tokens(state, mask);
  machine_.clear_work_limit();
  if (machine_.may_end(state)) {
    for (const TokenId token : vocabulary_.end_tokens()) set_bit(mask, token);
  }
  return mask;
}

// Tries the tokens outside the slice, whose own are in the mask already.
void MaskMaker::walk(State state, const VocabularyIndex::Slice* decided, MaskWords& mask) {
  const bool has_rest = decided != nullptr && decided->rest;
  const TokenTrie& trie = has_rest ? *decided->rest : vocabulary_.ordinary();
  const SubtreeMarks* marks = decided != nullptr && !has_rest ? &vocabulary_.marks() : nullptr;
  std::array<State, TokenTrie::kMaxDepth + 1> path;  // states behind so many bytes
  path[0] = state;
  const auto nodes = trie.nodes();
  std::uint64_t* words = mask.data();
  for (std::size_t i = 0; i < nodes.size();) {
    const TokenTrie::Node node = nodes[i];
    const bool is_decided = marks != nullptr && marks->all_are(i, decided->text, decided->max_bytes);
    const State next =
        is_decided ? GrammarMachine::kDead : machine_.next(path[node.depth() - 1u], node.byte());
    if (next == GrammarMachine::kDead) {
      i += node.num_nodes();
      continue;
    }
    path[node.depth()] = next;
    if (node.token() != TokenTrie::kNoToken)
      words[node.token() / 64] |= std::uint64_t{1} << (node.token() % 64);
    ++i;
  }
  for (const TokenTrie::Twin& twin : trie.twins()) {
    if (has_bit(mask, twin.token)) set_bit(mask, twin.other);
  }
}

bool MaskMaker::allows(State state, TokenId token) {
  for (const char byte : vocabulary_.tokenizer().token_bytes(token)) {
    state = machine_.next(state, static_cast<std::uint8_t>(byte));
    if (state == GrammarMachine::kDead) return false;
  }
  return true;
}

void MaskMaker::add_long_tokens(State state, MaskWords& mask) {
  for (const TokenId token : vocabulary_.long_tokens()) {
    if (allows(state, token)) set_bit(mask, token);
  }
}

void MaskMaker::add_special_tokens(State state, MaskWords& mask) {
  for (const TokenId token : vocabulary_.special_tokens()) {
    if (machine_.next_token(state, token) != GrammarMachine::kDead) set_bit(mask, token);
  }
  for (const TokenId token : machine_.named_tokens(state)) set_bit(mask, token);
}

}  // namespace parley::inference::grammar
