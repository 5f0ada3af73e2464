#include "inference/engine/prefill_share.h"

#include <algorithm>
#include <tuple>

namespace parley::inference::engine {
namespace {

int aged_remaining(const Sequence& sequence) {
  return sequence.remaining() >> std::min(sequence.skipped_steps, 30);
}

}  // namespace

int tokens_ahead_of(int remaining, std::span<Sequence* const> prefilling) {
  int ahead = 0;
  for (const Sequence* sequence : prefilling) {
    if (aged_remaining(*sequence) <= remaining) ahead += sequence->remaining();
  }
  return ahead;
}

void share_prefill(std::span<Sequence*> prefilling, int budget, std::vector<Chunk>& chunks) {
  std::sort(prefilling.begin(), prefilling.end(), [](const Sequence* a, const Sequence* b) {
    return std::tuple(aged_remaining(*a), a->id) < std::tuple(aged_remaining(*b), b->id);
  });
  for (Sequence* sequence : prefilling) {
    const int num_tokens = std::min(budget, sequence->remaining());
    sequence->skipped_steps = num_tokens > 0 ? 0 : sequence->skipped_steps + 1;
    if (num_tokens > 0) chunks.push_back({sequence, num_tokens});
    budget -= num_tokens;
  }
}

}  // namespace parley::inference::engine
