// The part of Scheduler that lets waiting requests in.

#include <algorithm>
#include <memory>
#include <utility>

#include "inference/engine/scheduler.h"
#include "inference/engine/twins.h"

namespace parley::inference::engine {

// After a preemption nobody comes in during that step, and for a while only when there is plenty: otherwise
// requests would push each other out in turn.
void Scheduler::admit(int budget) {
  if (waiting_.empty() || preempted_ || num_running() >= options_.max_sequences) return;
  const bool is_wary = hysteresis_left_ > 0 && !running_.empty();
  if (is_wary && pool_.available() < 2 * reserve_blocks(num_running())) return;
  for (const Candidate& candidate : waiting_.candidates(pool_)) {
    if (num_running() >= options_.max_sequences) return;
    const std::uint64_t promotions = stats_.starvation_promotions;
    const bool admitted = try_admit(candidate, budget);
    // Nobody may pass a starved request, nor one that became it just now and stands too far back in this
    // order.
    if ((!admitted && !candidate.rank.not_starved) || stats_.starvation_promotions != promotions) return;
  }
}

bool Scheduler::try_admit(const Candidate& candidate, int budget) {
  Sequence& sequence = *candidate.sequence;
  if (candidate.rank.not_starved) {
    if (!fits_budget(candidate, budget)) return false;
    const bool waited_before = sequence.twin != 0;
    if (should_wait_for_twin(sequence, candidate.hit_blocks, running_, options_.twin_patience)) {
      stats_.twin_waits += waited_before ? 0 : 1;
      return false;
    }
  }
  if (!take_blocks(sequence)) return false;
  start_running(sequence);
  return true;
}

// A request comes in when it would get tokens in this step; one that would not finish its prompt also needs a
// place among the partial prefills.
bool Scheduler::fits_budget(const Candidate& candidate, int budget) const {
  const int remaining = candidate.sequence->num_tokens() - candidate.hit_blocks * backend::kBlockTokens;
  const int ahead = tokens_ahead_of(remaining, prefilling_);
  if (ahead >= budget) return false;
  return static_cast<int>(prefilling_.size()) < options_.max_partial_prefills || ahead + remaining <= budget;
}

// All blocks of the known tokens are taken at once, so that a prefill never stops half way for want of
// memory.
bool Scheduler::take_blocks(Sequence& sequence) {
  const int num_blocks = (sequence.num_tokens() + backend::kBlockTokens - 1) / backend::kBlockTokens;
  const BlockChain chain = sequence.hit_chain();
  if (!leaves_reserve(num_blocks - pool_.estimate_match(chain.keys))) return false;
  pool_.match(chain, sequence.blocks);
  const int num_hits = static_cast<int>(sequence.blocks.size());
  const auto num_cached = std::count_if(sequence.blocks.begin(), sequence.blocks.end(),
                                        [this](BlockId block) { return !pool_.is_referenced(block); });
  if (!leaves_reserve(num_blocks - num_hits + static_cast<int>(num_cached))) {
    sequence.blocks.clear();
    return false;
  }
  pool_.acquire(sequence.blocks);
  while (static_cast<int>(sequence.blocks.size()) < num_blocks) sequence.blocks.push_back(pool_.allocate());
  sequence.num_published = num_hits;
  sequence.num_computed = num_hits * backend::kBlockTokens;
  return true;
}

// Whether taking `num_blocks` more leaves enough for the requests that already run, and for the new one, to
// grow.
bool Scheduler::leaves_reserve(int num_blocks) const {
  const int reserve = running_.empty() ? 0 : reserve_blocks(num_running() + 1);
  return pool_.available() - num_blocks >= reserve;
}

// One block for each running request and one hundredth of all.
int Scheduler::reserve_blocks(int num_running) const { return num_running + pool_.num_blocks() / 100; }

void Scheduler::start_running(Sequence& waiting) {
  int num_starved = 0;
  std::unique_ptr<Sequence> sequence = waiting_.admit(waiting, num_starved);
  stats_.starvation_promotions += static_cast<std::uint64_t>(num_starved);
  const int hit = sequence->num_computed;
  if (sequence->num_preemptions == 0) {
    sequence->cached_at_admission = hit;
    stats_.prompt_tokens += static_cast<std::uint64_t>(sequence->num_prompt);
  }
  // Prompt tokens that were neither computed nor found before; a resumed request may find more than it had.
  const int newly_found = std::min(hit, sequence->num_prompt) - sequence->furthest;
  stats_.cached_tokens += static_cast<std::uint64_t>(std::max(0, newly_found));
  sequence->furthest = std::max(sequence->furthest, hit);
  prefilling_.push_back(sequence.get());
  const Rank rank = rank_of(*sequence, options_.ranking);
  const auto place = std::find_if(running_.begin(), running_.end(), [&](const auto& other) {
    return rank < rank_of(*other, options_.ranking);
  });
  running_.insert(place, std::move(sequence));
}

}  // namespace parley::inference::engine
