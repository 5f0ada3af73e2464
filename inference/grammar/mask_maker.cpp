#include "inference/grammar/mask_maker.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace parley::inference::grammar {
namespace {

constexpr std::size_t kMaxCacheBytes = std::size_t{2} << 20;
// Of one mask, in units of GrammarMachine. A grammar that needs more gets a mask that lacks tokens; those of
// one byte are always there.
constexpr std::size_t kMaxMaskWork = 20'000'000;

}  // namespace

void MaskMaker::fill(State state, std::span<std::uint64_t> mask) {
  const MaskWords& words = find(state);
  const std::size_t num_shared = std::min(words.size(), mask.size());
  std::copy_n(words.begin(), num_shared, mask.begin());
  std::fill(mask.begin() + static_cast<std::ptrdiff_t>(num_shared), mask.end(), 0);
}

const MaskWords& MaskMaker::find(State state) {
  const auto known = by_state_.find(state);
  if (known != by_state_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
    return entries_.front().mask;
  }
  MaskWords made = make(state);
  entries_.push_front({state, std::move(made)});
  by_state_[state] = entries_.begin();
  const std::size_t max_entries =
      std::max<std::size_t>(1, kMaxCacheBytes / (8 * vocabulary_.num_words() + 1));
  if (entries_.size() > max_entries) {
    by_state_.erase(entries_.back().state);
    entries_.pop_back();
  }
  return entries_.front().mask;
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

MaskWords MaskMaker::make(State state) {
  const std::uint32_t room = machine_.text_room(state);
  const State twin = room >= VocabularyIndex::kLongText ? machine_.roomy_twin(state) : state;
  if (twin != state) {
    MaskWords mask = find(twin);
    refuse_too_long(state, room, mask);
    return mask;
  }
  ++num_made_;
  const auto slices = vocabulary_.slices();
  const auto slice = std::find_if(slices.begin(), slices.end(), [&](const VocabularyIndex::Slice& candidate) {
    return candidate.max_bytes > 0 && candidate.max_bytes <= room;
  });
  MaskWords mask = slice != slices.end() ? slice->mask : MaskWords(vocabulary_.num_words());
  for (int byte = 0; byte < 256; ++byte) machine_.next(state, static_cast<std::uint8_t>(byte));
  machine_.set_work_limit(kMaxMaskWork);
  walk(slice != slices.end() ? slice->rest : vocabulary_.ordinary(), state, mask);
  add_long_tokens(state, mask);
  machine_.clear_work_limit();
  if (machine_.takes_tokens(state)) add_special_tokens(state, mask);
  if (machine_.may_end(state)) {
    for (const TokenId token : vocabulary_.end_tokens()) set_bit(mask, token);
  }
  return mask;
}

void MaskMaker::walk(const TokenTrie& trie, State state, MaskWords& mask) {
  std::array<State, TokenTrie::kMaxDepth + 1> path;  // states behind so many bytes
  path[0] = state;
  const auto nodes = trie.nodes();
  std::uint64_t* words = mask.data();
  for (std::size_t i = 0; i < nodes.size();) {
    const TokenTrie::Node node = nodes[i];
    const State next = machine_.next(path[node.depth() - 1u], node.byte());
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
