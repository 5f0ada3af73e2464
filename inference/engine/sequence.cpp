#include "inference/engine/sequence.h"

#include <algorithm>
#include <utility>

namespace parley::inference::engine {

Sequence::Sequence(Submission submission, const BlockKey& root_key)
    : id(submission.id),
      request(std::move(submission.request)),
      sink(std::move(submission.sink)),
      root(root_key),
      num_prompt(static_cast<int>(request.prompt.size())),
      tokens(std::move(request.prompt)),
      submitted(submission.time) {
  std::sort(request.stop_ids.begin(), request.stop_ids.end());
  extend_keys();
}

bool Sequence::stops_at(std::int32_t token_id) const {
  return std::binary_search(request.stop_ids.begin(), request.stop_ids.end(), token_id);
}

BlockChain Sequence::hit_chain() const {
  const std::size_t usable = std::min(keys.size(), static_cast<std::size_t>(max_hit_blocks()));
  return {std::span(keys).first(usable), tokens, request.cache_salt};
}

BlockTokens Sequence::block_tokens(int block) const {
  const auto first = static_cast<std::size_t>(block) * backend::kBlockTokens;
  return BlockTokens(std::span(tokens).subspan(first, backend::kBlockTokens));
}

void Sequence::extend_keys() {
  const int num_full = num_tokens() / backend::kBlockTokens;
  for (int block = static_cast<int>(keys.size()); block < num_full; ++block) {
    keys.push_back(chain_key(keys.empty() ? root : keys.back(), block_tokens(block)));
  }
}

// Tokens are counted only now, so that a long queue does not hold the counts of every prompt in it.
void Sequence::begin(Clock::time_point now) {
  first_scheduled = now;
  if (has_penalty()) counts = TokenCounts(tokens);
  if (request.constraint) constraint = request.constraint->clone();
  request.constraint.reset();  // it holds on to what the copy has learnt
}

void Sequence::append(std::int32_t token_id) {
  num_undrawn = 0;
  add(token_id);
}

void Sequence::append_forced(std::int32_t token_id) {
  ++num_undrawn;
  ++num_forced;
  add(token_id);
}

void Sequence::add(std::int32_t token_id) {
  tokens.push_back(token_id);
  if (has_penalty()) counts.add(token_id);
  if (constraint) constraint->accept(token_id);
  extend_keys();
}

}  // namespace parley::inference::engine
