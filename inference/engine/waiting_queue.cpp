#include "inference/engine/waiting_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace parley::inference::engine {
namespace {

// Looking a prompt up costs about a microsecond, so only the front of a long queue is.
constexpr std::size_t kMaxCandidates = 32;

auto class_of(const Candidate& c) {
  return std::tuple(c.rank.not_starved, c.rank.lowness, c.sequence->num_preemptions == 0);
}

bool arrived_first(const Candidate& a, const Candidate& b) {
  return std::tuple(class_of(a), a.rank.arrival) < std::tuple(class_of(b), b.rank.arrival);
}

double cached_part(const Candidate& c) {
  return static_cast<double>(c.hit_blocks) * backend::kBlockTokens / c.sequence->num_tokens();
}

bool goes_first(const Candidate& a, const Candidate& b) {
  if (class_of(a) != class_of(b)) return class_of(a) < class_of(b);
  if (a.rank.not_starved && cached_part(a) != cached_part(b)) return cached_part(a) > cached_part(b);
  return a.rank.arrival < b.rank.arrival;
}

}  // namespace

void WaitingQueue::add(std::unique_ptr<Sequence> sequence) { sequences_.push_back(std::move(sequence)); }

std::unique_ptr<Sequence> WaitingQueue::remove(RequestId id) {
  const auto found =
      std::find_if(sequences_.begin(), sequences_.end(), [id](const auto& s) { return s->id == id; });
  if (found == sequences_.end()) return nullptr;
  std::unique_ptr<Sequence> sequence = std::move(*found);
  sequences_.erase(found);
  return sequence;
}

std::unique_ptr<Sequence> WaitingQueue::admit(const Sequence& sequence, int& num_starved) {
  num_starved = 0;
  for (const auto& other : sequences_) {
    if (other->id >= sequence.id) continue;
    ++other->num_passes;
    if (other->num_passes == rules_.starvation_bound) ++num_starved;
  }
  return remove(sequence.id);
}

std::span<const Candidate> WaitingQueue::candidates(const BlockPool& pool) {
  candidates_.clear();
  for (const auto& sequence : sequences_)
    candidates_.push_back({sequence.get(), rank_of(*sequence, rules_), 0});
  const std::size_t count = std::min(kMaxCandidates, candidates_.size());
  const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(candidates_.begin(), end, candidates_.end(), arrived_first);
  candidates_.resize(count);
  for (Candidate& c : candidates_) c.hit_blocks = pool.estimate_match(c.sequence->hit_chain().keys);
  std::sort(candidates_.begin(), candidates_.end(), goes_first);
  return candidates_;
}

}  // namespace parley::inference::engine
