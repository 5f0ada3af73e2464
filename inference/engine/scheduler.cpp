#include "inference/engine/scheduler.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace parley::inference::engine {

Scheduler::Scheduler(const SchedulerOptions& options, BlockPool& pool, EngineStats& stats)
    : options_(options), pool_(pool), stats_(stats), waiting_(options.ranking) {
  assert(options.max_sequences >= 1 && options.max_sequences <= options.max_step_tokens);
}

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
  if (hysteresis_left_ > 0 && !preempted_) --hysteresis_left_;
  prefilling_.clear();
  for (const auto& sequence : running_) {
    if (!sequence->is_decoding()) prefilling_.push_back(sequence.get());
  }
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
  pool_.release(sequence.blocks, retention);
  sequence.blocks.clear();
  sequence.num_published = 0;
  sequence.num_computed = 0;
  sequence.skipped_steps = 0;
}

// Without decode rows nobody waits for the step's end, so that it may be as large as it can.
int Scheduler::prefill_budget() const {
  const int limit = options_.max_step_tokens - num_decode_rows_;
  if (num_decode_rows_ == 0) return limit;
  int first = 0;
  for (const Sequence* sequence : prefilling_) first = std::max(first, sequence->num_computed);
  return std::min(limit, step_time_.largest_prefill(options_.step_seconds, first, limit));
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
  for (; sequence.num_published < end / backend::kBlockTokens; ++sequence.num_published) {
    const auto index = static_cast<std::size_t>(sequence.num_published);
    const BlockId parent = index == 0 ? kNoBlock : sequence.blocks[index - 1];
    sequence.blocks[index] =
        pool_.publish(sequence.blocks[index], {sequence.keys[index], parent, sequence.request.cache_salt,
                                               sequence.block_tokens(sequence.num_published)});
  }
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
