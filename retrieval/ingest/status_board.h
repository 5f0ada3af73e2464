#pragma once
// Where the indexer writes how far its collections are, and others read it and wait. Any thread.

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "retrieval/ingest/collection_status.h"

namespace parley::retrieval::ingest {

class StatusBoard {
 public:
  void publish(std::vector<CollectionStatus> statuses);
  // Nothing is published any more; all that is there gets the reason.
  void end(const std::string& failure);
  std::vector<CollectionStatus> read() const;
  // As Indexer::wait_until_idle.
  void wait_until_idle(index::CollectionId collection, std::stop_token stop) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::vector<CollectionStatus> statuses_;
  bool ended_ = false;
};

}  // namespace parley::retrieval::ingest
