#pragma once
// Requests that wait for admission: new ones and preempted ones. Order: rank (rank.h) without arrival, then
// preempted before new, then larger cached part of the prompt, then arrival; starved ones by arrival alone.
//
// Lives on the engine thread. Cannot fail.

#include <memory>
#include <span>
#include <vector>

#include "inference/engine/block_pool.h"
#include "inference/engine/rank.h"
#include "inference/engine/sequence.h"

namespace parley::inference::engine {

struct Candidate {
  Sequence* sequence = nullptr;
  Rank rank;
  int hit_blocks = 0;  // estimate
};

class WaitingQueue {
 public:
  explicit WaitingQueue(const RankRules& rules) : rules_(rules) {}

  void add(std::unique_ptr<Sequence> sequence);
  // Null: not here.
  std::unique_ptr<Sequence> remove(RequestId id);
  // Takes `sequence` out because it is admitted; older ones that stay have been passed over once more. Gives
  // how many of them became starved by that.
  std::unique_ptr<Sequence> admit(const Sequence& sequence, int& num_starved);
  // The first few, best first. Valid until the next call.
  std::span<const Candidate> candidates(const BlockPool& pool);

  bool empty() const { return sequences_.empty(); }
  int size() const { return static_cast<int>(sequences_.size()); }
  std::span<const std::unique_ptr<Sequence>> sequences() const { return sequences_; }

 private:
  RankRules rules_;
  std::vector<std::unique_ptr<Sequence>> sequences_;
  std::vector<Candidate> candidates_;
};

}  // namespace parley::inference::engine
