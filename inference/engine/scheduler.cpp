#include "inference/engine/scheduler.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "inference/engine/block_table.h"
#include "inference/engine/rank.h"
#include "inference/engine/twins.h"

namespace parley::inference::engine {
namespace {

SchedulerOptions fitting(SchedulerOptions options) {
  assert(options.max_sequences >= 1 && options.max_step_tokens >= 1);
  options.max_sequences = std::min(options.max_sequences, options.max_step_tokens);
  return options;
}

}  // namespace

Scheduler::Scheduler(const SchedulerOptions& options, BlockPool& pool, EngineStats& stats)
    : options_(fitting(options)), pool_(pool), stats_(stats), waiting_(options.ranking) {}

void Scheduler::add(std::unique_ptr<Sequence> sequence) { waiting_.add(std::move(sequence)); }

std::unique_ptr<Sequence> Scheduler::remove(RequestId id, Retention retention) {
  if (auto sequence = waiting_.remove(id)) return sequence;
  const auto found =
      std::find_if(running_.begin(), running_.end(), [id](const auto& s) { return s->id == id; });
  if (found == running_.end()) return nullptr;
  std::unique_ptr<Sequence> sequence = std::move(*found);
  running_.erase(found);
  release(*sequence, retention);
  return sequence;
}

std::span<const Chunk> Scheduler::next() {
  chunks_.clear();
  schedule_decode_rows();
  add_forced_rows();
  admit(prefill_budget());
  share_prefill(prefilling_, prefill_budget(), chunks_);
  return chunks_;
}

// Best rank first: whoever is preempted for a row comes later and has no row yet.
void Scheduler::schedule_decode_rows() {
  preempted_ = false;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Sequence& sequence = *running_[i];
    if (sequence.is_decoding() && reserve_row(sequence)) chunks_.push_back({&sequence, 1});
  }
  num_decode_rows_ = static_cast<int>(chunks_.size());
  num_forced_rows_ = 0;
  if (hysteresis_left_ > 0 && !preempted_) --hysteresis_left_;
  prefilling_.clear();
  for (const auto& sequence : running_) {
    if (!sequence->is_decoding()) prefilling_.push_back(sequence.get());
  }
}

// What was forced behind a drawn token is computed with it as far as the budget and free blocks reach, so
// that nobody is preempted for it; where others have a prompt to compute, half of the budget is theirs.
void Scheduler::add_forced_rows() {
  const bool is_shared = !prefilling_.empty() || !waiting_.empty();
  const int budget = prefill_budget();
  int left = is_shared ? budget / 2 : budget;
  for (Chunk& chunk : chunks_) {
    const Sequence& sequence = *chunk.sequence;
    const int wanted = std::min(left, sequence.remaining() - chunk.num_tokens);
    if (wanted == 0) continue;
    const int first = sequence.num_computed + chunk.num_tokens;
    const int added = std::min(wanted, cover(*chunk.sequence, first + wanted) - first);
    chunk.num_tokens += added;
    num_forced_rows_ += added;
    left -= added;
  }
}

// Takes blocks for the first `num_tokens` tokens while there are free ones, and says for how many there are.
int Scheduler::cover(Sequence& sequence, int num_tokens) {
  const auto covered = [&] { return static_cast<int>(sequence.blocks.size()) * backend::kBlockTokens; };
  while (covered() < num_tokens) {
    const BlockId block = pool_.allocate();
    if (block == kNoBlock) break;
    sequence.blocks.push_back(block);
  }
  return covered();
}

bool Scheduler::reserve_row(Sequence& sequence) {
  if (static_cast<int>(sequence.blocks.size()) * backend::kBlockTokens > sequence.num_computed) return true;
  for (;;) {
    const BlockId block = pool_.allocate();
    if (block != kNoBlock) {
      sequence.blocks.push_back(block);
      return true;
    }
    const bool is_last = running_.back().get() == &sequence;
    preempt_last();
    if (is_last) return false;
  }
}

void Scheduler::preempt_last() {
  std::unique_ptr<Sequence> victim = std::move(running_.back());
  running_.pop_back();
  release(*victim, Retention::keep);
  ++victim->num_preemptions;
  ++stats_.preemptions;
  preempted_ = true;
  hysteresis_left_ = options_.hysteresis_steps;
  waiting_.add(std::move(victim));
}

// The one place where a request gives up its blocks, whatever the reason.
void Scheduler::release(Sequence& sequence, Retention retention) {
  release_blocks(sequence, pool_, retention);
  sequence.skipped_steps = 0;
}

// Without decode rows nobody waits for the step's end, so that it may be as large as it can.
int Scheduler::prefill_budget() const {
  const int limit = options_.max_step_tokens - num_decode_rows_;
  if (num_decode_rows_ == 0) return limit;
  int first = 0;
  for (const Sequence* sequence : prefilling_) first = std::max(first, sequence->num_computed);
  return std::max(0, std::min(limit, prefill_in_step_time(first)) - num_forced_rows_);
}

int Scheduler::prefill_in_step_time(int first) const {
  const double seconds = std::chrono::duration<double>(options_.step_time).count();
  const int limit = options_.max_step_tokens;
  return std::min(limit, step_time_.largest_prefill(seconds, first, limit));
}

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

void Scheduler::commit(const Chunk& chunk) {
  Sequence& sequence = *chunk.sequence;
  const int end = sequence.num_computed + chunk.num_tokens;
  const int recomputed = std::max(0, std::min(end, sequence.furthest) - sequence.num_computed);
  const int new_prompt =
      std::max(0, std::min(end, sequence.num_prompt) - std::max(sequence.num_computed, sequence.furthest));
  stats_.recomputed_tokens += static_cast<std::uint64_t>(recomputed);
  stats_.computed_tokens += static_cast<std::uint64_t>(recomputed + new_prompt);
  sequence.num_computed = end;
  sequence.furthest = std::max(sequence.furthest, end);
  publish_full_blocks(sequence, pool_);
}

const Sequence* Scheduler::find(RequestId id) const {
  for (const auto requests : {running(), waiting()}) {
    for (const auto& sequence : requests) {
      if (sequence->id == id) return sequence.get();
    }
  }
  return nullptr;
}

const Sequence* Scheduler::any() const {
  for (const auto requests : {running(), waiting()}) {
    if (!requests.empty()) return requests.back().get();
  }
  return nullptr;
}

// Nothing runs and yet nobody could come in. Not so in the step of a preemption, which admits nobody.
const Sequence* Scheduler::stuck() {
  if (!running_.empty() || waiting_.empty() || preempted_) return nullptr;
  return waiting_.candidates(pool_).front().sequence;
}

StepLoad load_of(std::span<const Chunk> chunks) {
  StepLoad load;
  for (const Chunk& chunk : chunks) {
    (chunk.num_tokens == 1 ? load.decode_rows : load.prefill_tokens) += chunk.num_tokens;
    load.attended_pairs += attended_pairs(chunk.sequence->num_computed, chunk.num_tokens);
  }
  return load;
}

}  // namespace parley::inference::engine
