#pragma once
// Sees to it that the store has a vector for each passage, on a thread of its own, behind the commits by as
// long as embedding takes: meanwhile the newest passages are found by their words. What was embedded before,
// by its text and model, is not embedded again. Vectors are stored batch by batch, so an end at any moment
// costs one batch at most.

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "retrieval/index/document_store.h"
#include "retrieval/ingest/rate.h"
#include "retrieval/search/embedder.h"

namespace parley::retrieval::ingest {

struct EmbeddingProgress {
  std::int64_t done = 0;      // passages gone through since the start, with those that had a vector
  bool is_caught_up = false;  // each passage has its vector
  double per_second = 0;      // embedded over the last half minute; 0: not known
  std::string failure;        // why nothing goes on; empty: it does
};

// Runs work on the thread that may write to the store, and returns when it is done.
using StoreWriter = std::function<void(const std::function<void()>&)>;

class PassageEmbedder {
 public:
  // Store and embedder outlive it.
  PassageEmbedder(index::DocumentStore& store, search::Embedder& embedder, StoreWriter write);

  EmbeddingProgress progress() const;

 private:
  using Keys = std::vector<index::PassageKey>;

  void run(const std::stop_token& stop);
  // Whether more is there at once.
  bool follow(const std::stop_token& stop);
  // Those without a vector, each text once.
  Keys missing_of(const Keys& keys) const;
  void embed(const Keys& keys);

  index::DocumentStore& store_;
  search::Embedder& embedder_;
  const StoreWriter write_;
  const std::string model_;

  mutable std::mutex mutex_;  // of mark_, progress_ and rate_
  index::FeedMark mark_;      // behind it nothing is done; changed by the thread only
  EmbeddingProgress progress_;
  mutable Rate rate_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace parley::retrieval::ingest
