#include "retrieval/ingest/status_board.h"

#include <algorithm>
#include <utility>

namespace parley::retrieval::ingest {

void StatusBoard::publish(std::vector<CollectionStatus> statuses) {
  const std::lock_guard lock(mutex_);
  statuses_ = std::move(statuses);
  changed_.notify_all();
}

void StatusBoard::end(const std::string& failure) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (auto& status : statuses_) status.failure = failure;
  changed_.notify_all();
}

std::vector<CollectionStatus> StatusBoard::read() const {
  const std::lock_guard lock(mutex_);
  return statuses_;
}

void StatusBoard::wait_until_idle(index::CollectionId collection, std::stop_token stop) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, std::move(stop), [&] {
    const auto found = std::find_if(statuses_.begin(), statuses_.end(),
                                    [&](const auto& status) { return status.collection.id == collection; });
    if (ended_ || found == statuses_.end()) return true;
    return found->activity == Activity::idle || found->activity == Activity::standing;
  });
}

}  // namespace parley::retrieval::ingest
